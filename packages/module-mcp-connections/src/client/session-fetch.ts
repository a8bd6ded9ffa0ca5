import { isJSONRPCRequest } from "@modelcontextprotocol/client";
import { OvenError, readJson } from "@oven/contract";
import type { SecretReference } from "@oven/contract/access";
import { type OutboundService, rewriteJson } from "@oven/module-registry";
import { exactMessage } from "./long-numbers.ts";

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
  /** An answer broke off while it was read: too large, too late, or cut. The client itself would wait on. */
  broken(error: unknown): void;
}

/**
 * The way out for an MCP client: through the one safe fetch, bounded in time and size. Redirects are answered as they are, and the
 * client follows only those that stay within the origin.
 */
export function createSessionFetch(options: SessionFetchOptions): SessionFetch {
  const { outbound, tenantId, serverUrl, bearer, allow, timeoutMs, maxTotalMs, maxBytes } = options;
  return async (target, init = {}) => {
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
    const response = await outbound.fetch(url, {
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
    if (init.signal?.aborted === true) return response;
    return rewriteJson(watched(response, options, init.signal ?? undefined), exactMessage);
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
function watched(response: Response, { broken }: SessionFetchOptions, signal: AbortSignal | undefined): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (signal?.aborted !== true) broken(error);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}
