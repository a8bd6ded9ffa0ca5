import { parseJson, toApiError, toUnreachable } from "./api-error.ts";

export type Fetch = typeof globalThis.fetch;

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  /** Files, instead of `body`. */
  form?: FormData;
  query?: Record<string, string>;
  /** The same key again is the same request. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
  /** `no-cache` asks the server also where the browser may use an answer it has. Default: as the answer said. */
  cache?: RequestCache;
  /** The request outlives its page; browsers then take 64 KB at most. */
  keepalive?: boolean;
}

export interface ApiReply {
  status: number;
  headers: Headers;
  json: unknown;
}

export type ApiClient = (path: string, request?: ApiRequest) => Promise<ApiReply>;

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** Requests to `/api` with the session's cookie. Anything but 2xx is thrown as an `ApiError`. */
export function createApiClient(fetch: Fetch, base = "/api"): ApiClient {
  return async (path, { method = "GET", body, form, query, idempotencyKey, signal, cache, keepalive = false } = {}) => {
    const search = query === undefined ? "" : `?${new URLSearchParams(query)}`;
    const headers: Record<string, string> = { accept: "application/json" };
    // Also on DELETE: the server takes state-changing requests as JSON only. A form's type is the browser's to say.
    if (method !== "GET" && form === undefined) headers["content-type"] = "application/json";
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${base}/${path}${search}`, {
        method,
        headers,
        credentials: "same-origin",
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(form === undefined ? {} : { body: form }),
        ...(signal === undefined ? {} : { signal }),
        ...(cache === undefined ? {} : { cache }),
        ...(keepalive ? { keepalive } : {}),
      });
      text = await response.text();
    } catch (error) {
      if (isAbort(error)) throw error;
      throw toUnreachable(error);
    }
    if (!response.ok) throw toApiError(response.status, text);
    return { status: response.status, headers: response.headers, json: text === "" ? undefined : parseJson(text) };
  };
}

/** Calls the API of this server, with the session's cookie. */
export const api: ApiClient = createApiClient((...parameters) => globalThis.fetch(...parameters));
