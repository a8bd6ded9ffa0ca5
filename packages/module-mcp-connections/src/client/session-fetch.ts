import { isJSONRPCErrorResponse, isJSONRPCRequest, isJSONRPCResultResponse } from "@modelcontextprotocol/client";
import { isOvenError, OvenError, readJson } from "@oven/contract";
import type { SecretReference } from "@oven/contract/access";
import { type OutboundService, rewriteJson } from "@oven/module-registry";
import { AnswerMissing } from "./call-lost.ts";
import { exactMessage } from "./long-numbers.ts";
import { watchBody } from "./watch-body.ts";

/** As the MCP client asks for it. */
export type SessionFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface SessionFetchOptions {
  outbound: OutboundService;
  /** Whose secret the `bearer` is. */
  tenantId: number;
  /** Where the server is: its secret goes nowhere else. */
  serverUrl: string;
  bearer?: SecretReference;
  /** Origins that the operator allows, also without encryption. */
  allow: readonly string[];
  /** How long an answer may be silent. */
  timeoutMs: number;
  /** How long one answer may take in all. */
  maxTotalMs: number;
  maxBytes: number;
  /**
   * Called as a request begins. What it gives is called when the answer breaks off while it is read: too large, too late, or cut. The
   * client itself would wait on.
   */
  watch(): (error: unknown) => void;
}

/** How often the client asks for the rest of a stream that broke off. */
const RESUMES = 2;

/**
 * The way out for an MCP client: through the one safe fetch, bounded in time and size. Redirects are answered as they are, and the
 * client follows only those that stay within the origin.
 */
export function createSessionFetch(options: SessionFetchOptions): SessionFetch {
  const { outbound, tenantId, serverUrl, bearer, allow, timeoutMs, maxBytes } = options;
  let failedResumes = 0;
  const send = async (target: string | URL, init: RequestInit): Promise<Response> => {
    const { maxTotalMs } = options;
    const url = new URL(String(target));
    const headers: Record<string, string | SecretReference> = Object.fromEntries(new Headers(init.headers));
    delete headers.connection;
    if (bearer !== undefined && url.origin === new URL(serverUrl).origin) headers.authorization = bearer;
    if (headers.authorization !== undefined && url.protocol !== "https:" && !allow.includes(url.origin))
      throw new OvenError("OUTBOUND_REFUSED", `${url.origin} is not encrypted, and would show a credential`, {
        status: 422,
        fix: "Use the https address; an operator may allow the origin with OVEN_OUTBOUND_ALLOW.",
      });
    const method = init.method ?? "GET";
    return outbound.fetch(url, {
      method,
      headers,
      tenantId,
      ...(init.body === undefined || init.body === null ? {} : { body: toText(init.body) }),
      ...(init.signal === undefined || init.signal === null ? {} : { signal: init.signal }),
      timeoutMs: isBoundedByClient(method, init) ? 2 * maxTotalMs : timeoutMs,
      maxTotalMs: 2 * maxTotalMs,
      maxBytes,
      maxRedirects: 0,
    });
  };
  return async (target, init = {}) => {
    const broken = options.watch();
    const isResume = new Headers(init.headers).has("last-event-id");
    try {
      const response = await send(target, init);
      if (isResume) failedResumes = response.ok ? 0 : failedResumes + 1;
      if (isResume && failedResumes >= RESUMES) broken(new AnswerMissing());
      return await watched(response, init, broken);
    } catch (error) {
      // What was asked first has reached the server, whatever keeps the rest of its answer away.
      if (isResume && ++failedResumes >= RESUMES) broken(new AnswerMissing(error));
      throw error;
    }
  };
}

/**
 * The client counts the silence of its requests itself: their progress may come over the standing stream while their own answer waits.
 * The standing stream may be silent for as long as the calls beside it take.
 */
function isBoundedByClient(method: string, { headers, body }: RequestInit): boolean {
  if (new Headers(headers).get("accept")?.includes("text/event-stream") !== true) return false;
  return method === "GET" || (typeof body === "string" && isJSONRPCRequest(readJson(body).value));
}

function toText(body: NonNullable<RequestInit["body"]>): string {
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error("an MCP client sends text");
}

/** The same answer, but whoever waits learns at once why it broke off. */
async function watched(response: Response, init: RequestInit, broken: (error: unknown) => void): Promise<Response> {
  const { signal, body, method } = init;
  if (signal?.aborted === true) return response;
  const fail = (error: unknown) => {
    if (signal?.aborted !== true) broken(error);
  };
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream) return rewriteJson(watchBody(response, { fail }), exactMessage);
  let answered = false;
  let resumable = false;
  const lines = await rewriteJson(response, (text) => {
    answered ||= isAnswer(text);
    return exactMessage(text);
  });
  // What stands beside the calls breaks none of them: the client opens it again.
  if (method !== "POST" || typeof body !== "string" || !isJSONRPCRequest(readJson(body).value)) return lines;
  return watchBody(lines, {
    heard: (chunk) => {
      resumable ||= /^id: ?[^\r\n]/m.test(chunk);
    },
    fail: (error) => {
      if (!resumable || isOvenError(error)) fail(error);
    },
    over: () => {
      if (!answered && !resumable) fail(new AnswerMissing());
    },
  });
}

/** Events need not be JSON: one that only says where a stream can be resumed has no data. */
function isAnswer(text: string): boolean {
  try {
    const { value } = readJson(text);
    return isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}
