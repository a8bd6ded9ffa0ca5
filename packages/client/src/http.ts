import { OvenError } from "@oven/contract/error";
import { type RetryOptions, sendWithRetries } from "./retries.ts";

export interface ClientOptions {
  /** Where OVEN answers, without `/api`. */
  url: string;
  /** An API key, or where one is got before each request. */
  key: string | (() => string | Promise<string>);
  /** Default: the global one. */
  fetch?: (request: Request) => Promise<Response>;
  /** How often a request is sent again that may be, such as after 503. Default: 3; 0: never. */
  retries?: number;
}

export interface CallOptions {
  /** Ends the request; what the server has begun goes on. */
  signal?: AbortSignal;
  /**
   * Makes a POST safe to repeat, for a day, where the route knows such keys. Default: none, and a POST is not sent again once the
   * server may have got it.
   */
  idempotencyKey?: string;
}

export interface Sent extends CallOptions {
  body?: unknown;
  query?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
}

/** JSON requests to the API. */
export class Http {
  readonly #options: ClientOptions;
  readonly #retries: RetryOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#retries = { retries: options.retries ?? 3 };
  }

  /**
   * @param path below `api/`
   * @throws OvenError of the server; SERVER_UNREACHABLE when none answered
   */
  async send<T>(method: string, path: string, body?: unknown, options: Omit<Sent, "body"> = {}): Promise<T> {
    const response = await this.open(method, path, { ...options, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return (text === "" ? undefined : isJson ? JSON.parse(text) : text) as T; // cast: the route's response schema
  }

  /** As `send`; null where there is nothing of that id. */
  async find<T>(path: string): Promise<T | null> {
    try {
      return await this.send<T>("GET", path);
    } catch (error) {
      if (error instanceof OvenError && error.code === "NOT_FOUND") return null;
      throw error;
    }
  }

  /**
   * The response itself, for what is read as it comes.
   * @throws OvenError as `send`
   */
  async open(method: string, path: string, sent: Sent = {}): Promise<Response> {
    const { url, key, fetch: send = fetch } = this.#options;
    const address = new URL(`api/${path}`, url.endsWith("/") ? url : `${url}/`);
    for (const [name, value] of Object.entries(sent.query ?? {})) {
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined)
          address.searchParams.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
    }
    const isRepeatable = method !== "POST" || sent.idempotencyKey !== undefined;
    const response = await sendWithRetries(
      async () => {
        const request = new Request(address, {
          method,
          headers: {
            authorization: `Bearer ${typeof key === "string" ? key : await key()}`,
            ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
            ...(sent.idempotencyKey === undefined ? {} : { "idempotency-key": sent.idempotencyKey }),
            ...sent.headers,
          },
          ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
          ...(sent.signal === undefined ? {} : { signal: sent.signal }),
        });
        return send(request).catch((cause: unknown) => {
          if (sent.signal?.aborted === true) throw cause;
          throw new OvenError("SERVER_UNREACHABLE", `OVEN does not answer at ${url}`, {
            status: 503,
            fix: "Check the URL, and that the server is running.",
            cause,
          });
        });
      },
      { ...this.#retries, isRepeatable, ...(sent.signal === undefined ? {} : { signal: sent.signal }) },
    );
    if (!response.ok) throw toError(response.status, await response.text());
    return response;
  }
}

function toError(status: number, text: string): OvenError {
  const error = parse(text);
  if (typeof error?.code !== "string" || typeof error.message !== "string") {
    return new OvenError("UNEXPECTED_ANSWER", `The server answered ${status}: ${text.slice(0, 200)}`, { status });
  }
  const { code, message, fix, path, details } = error;
  return new OvenError(code, message, {
    status,
    ...(typeof fix === "string" ? { fix } : {}),
    ...(typeof path === "string" ? { path } : {}),
    ...(typeof details === "object" && details !== null ? { details: details as Record<string, never> } : {}), // cast: JSON of the server
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const error = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
    return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined; // cast: an object
  } catch {
    return undefined;
  }
}
