import type { SecretReference } from "@oven/contract/access";
import { redactionOf } from "../secrets/redactor.ts";
import { type CallLimits, startLimits } from "./call-limits.ts";
import { type Address, checkTarget, type OutboundPolicy, refused } from "./check-target.ts";
import { fillSecrets } from "./fill-secrets.ts";
import { markSent } from "./may-have-arrived.ts";
import { toUrl } from "./outbound-url.ts";
import { sendOnce } from "./send-once.ts";

export interface OutboundInit {
  /** GET by default. */
  method?: string;
  /** `{$secret: name}` is filled in here, for the host of the first URL only, and leaves with the request. */
  headers?: Record<string, string | SecretReference>;
  /**
   * What is filled in for `{name}` in the path or the query of the first URL, percent-encoded. A `{name}` without an entry stays as it
   * is. The filled URL is in no error, and another origin does not get it.
   */
  urlSecrets?: Record<string, SecretReference>;
  /** Parameters that are added to the query of the first URL; secrets are filled in as in `headers`. */
  query?: Record<string, string | SecretReference>;
  /** Whose secrets `headers`, `urlSecrets` and `query` refer to. */
  tenantId?: number;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** From the look-up of the name to the last byte of the answer; 30 s by default. With `maxTotalMs`: of each silence. */
  timeoutMs?: number;
  /** Of the whole call, for answers that arrive bit by bit: `timeoutMs` then counts anew with each piece. */
  maxTotalMs?: number;
  /** Of the decoded answer; 1 MiB by default. */
  maxBytes?: number;
  /** 5 by default; 0 answers the redirect itself. */
  maxRedirects?: number;
}

/** Outbound HTTP that cannot be talked into reaching this machine or its network. */
export interface OutboundService {
  /**
   * @throws OvenError OUTBOUND_REFUSED, SECRET_UNKNOWN, SECRET_HOST_REFUSED, SECRET_UNREADABLE; OUTBOUND_UNREACHABLE and OUTBOUND_TIMEOUT, both retryable. Reading the body may
   * throw OUTBOUND_TOO_LARGE and OUTBOUND_TIMEOUT.
   */
  fetch(url: string | URL, init?: OutboundInit): Promise<Response>;
  /**
   * The addresses of a server that is not spoken to by http, by the same rules; whoever connects takes one of them, and not the
   * name once more. An operator allows it as the origin `https://host:port`, and without encryption as `http://host:port`, which
   * must be allowed even where the address is public: passwords would be seen on the way.
   * @throws OvenError OUTBOUND_REFUSED, OUTBOUND_UNREACHABLE
   */
  addressesOf(host: string, port: number, encrypted: boolean): Promise<Address[]>;
}

declare module "../define/services.ts" {
  interface ServiceMap {
    outbound: OutboundService;
  }
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** What belongs to the connection, or says where the request goes. */
const OUR_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer|expect|proxy-.*|sec-.*|:.*)$/;
/** All that another origin gets on a redirect: any other header may be a credential. */
const HARMLESS_HEADERS = new Set(["accept", "accept-encoding", "accept-language", "content-type", "user-agent"]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The one way out: http(s) to public addresses, checked again at each redirect. */
export function createSafeFetch(policy: OutboundPolicy): OutboundService {
  return {
    async addressesOf(host, port, encrypted) {
      const url = toUrl(`${encrypted ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`);
      if (!encrypted && !policy.allow.includes(url.origin))
        throw refused(
          `${host}:${port} is reached without encryption, which shows the password`,
          "Use encryption, or have an operator allow the origin with OVEN_OUTBOUND_ALLOW.",
        );
      return checkTarget(url, policy);
    },
    async fetch(target, init = {}) {
      const limits = startLimits(init.timeoutMs ?? 30_000, init.maxTotalMs);
      const sent = { isAnswered: false };
      try {
        return await send(target, init, policy, limits, sent);
      } catch (error) {
        limits.clear();
        if (sent.isAnswered) markSent(error);
        throw error;
      }
    },
  };
}

/** The answer after all redirects. The limits end with its last byte. `sent.isAnswered`: an address has answered, with a redirect at least. */
async function send(
  target: string | URL,
  init: OutboundInit,
  policy: OutboundPolicy,
  limits: CallLimits,
  sent: { isAnswered: boolean },
): Promise<Response> {
  const signal = init.signal === undefined ? limits.signal : AbortSignal.any([init.signal, limits.signal]);
  let method = toMethod(init.method ?? "GET");
  const filled = await fillSecrets(target, init, policy);
  let { url } = filled;
  let headers = toHeaders(filled.headers);
  let body = typeof init.body === "string" ? new TextEncoder().encode(init.body) : init.body;
  for (let redirects = 0; ; redirects++) {
    const addresses = await unlessAborted(checkTarget(url, policy), signal);
    const maxBytes = init.maxBytes ?? 1_048_576;
    let isFinal = false;
    let isOver = false;
    const over = () => {
      isOver = true;
      if (isFinal) limits.clear();
    };
    const call = { url, method, headers, body, signal, maxBytes, heard: limits.heard, over };
    const response = await sendOnce(call, addresses);
    sent.isAnswered = true;
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null || init.maxRedirects === 0) {
      isFinal = true;
      if (isOver) limits.clear();
      return response;
    }
    await response.body?.cancel();
    if (redirects >= (init.maxRedirects ?? 5))
      throw refused(`${url.origin} redirects too often`, "Call the final address.");
    const next = toNext(location, url, filled.secrets);
    if (response.status === 303 || (response.status < 303 && method === "POST")) {
      if (method !== "HEAD") method = "GET";
      body = undefined;
      headers = without(headers, (name) => name.startsWith("content-"));
    }
    if (next.origin !== url.origin) headers = without(headers, (name) => !HARMLESS_HEADERS.has(name));
    url = next;
  }
}

/**
 * Where a redirect leads. A service may put what it was called with into the address; another origin does not get that, and errors do
 * not say it.
 * @throws OvenError OUTBOUND_REFUSED
 */
function toNext(location: string, from: URL, secrets: Record<string, string>): URL {
  const next = URL.parse(location, from.href);
  if (next === null) throw refused(`${from.origin} redirects to what is not a URL`, "Call the final address.");
  const redact = redactionOf(secrets);
  const carriesSecret = [location, next.href].some((text) => redact(text) !== text);
  if (carriesSecret && next.origin !== from.origin)
    throw refused(
      `${from.origin} redirects to another origin, with a secret of this call in the address`,
      "Call the final address, and bind the secret to its host.",
    );
  return next;
}

function toMethod(method: string): string {
  const name = method.toUpperCase();
  if (!METHODS.has(name))
    throw refused(`${method} is not a method to call with`, `Use one of ${[...METHODS].join(", ")}.`);
  return name;
}

function toHeaders(given: Record<string, string>): Headers {
  const headers = new Headers({ accept: "*/*", "accept-encoding": "gzip, deflate, br", "user-agent": "oven" });
  for (const [name, value] of Object.entries(given)) {
    if (OUR_HEADERS.test(name.toLowerCase())) throw refused(`The header ${name} cannot be set`, "Leave it out.");
    try {
      headers.set(name, value);
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      throw refused(`${JSON.stringify(name)} is not a header that can be sent`, "Check its name and value.");
    }
  }
  return headers;
}

function without(headers: Headers, drop: (name: string) => boolean): Headers {
  return new Headers([...headers].filter(([name]) => !drop(name)));
}

/** A name's look-up cannot be aborted; it is left behind. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
