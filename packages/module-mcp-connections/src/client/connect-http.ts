import { type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { SecretReference } from "@oven/contract/access";
import type { OutboundService } from "@oven/module-registry";
import { openSession, type Prior, type ServerSession } from "./server-session.ts";
import { createSessionFetch, type SessionFetch } from "./session-fetch.ts";

export interface HttpServer {
  name: string;
  url: string;
  tenantId: number;
  /** How long the server may be silent. */
  timeoutMs: number;
  /** How long one call may take in all. */
  maxTotalMs: number;
  maxBytes: number;
  bearer?: SecretReference;
  signIn?: OAuthClientProvider;
  prior?: Prior | undefined;
}

export interface Way {
  outbound: OutboundService;
  /** Origins that the operator allows. */
  allow: readonly string[];
}

/** Opens a conversation over HTTP. It is for one caller and one piece of work: close it afterwards. */
export function connectHttp(server: HttpServer, way: Way, signal: AbortSignal): Promise<ServerSession> {
  const { name, url, timeoutMs, maxTotalMs, signIn, prior } = server;
  let failure: unknown;
  const fetch = toSessionFetch(server, way, (error) => {
    failure = error;
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    redirectPolicy: "same-origin",
    ...(signIn === undefined ? {} : { authProvider: signIn }),
  });
  return openSession({ name, transport, timeoutMs, maxTotalMs, signal, prior, broken: () => failure });
}

/** The way to a server and to whoever signs in there. */
export function toSessionFetch(
  { url, tenantId, timeoutMs, maxTotalMs, maxBytes, bearer }: HttpServer,
  { outbound, allow }: Way,
  broken: (error: unknown) => void = () => undefined,
): SessionFetch {
  return createSessionFetch({
    outbound,
    allow,
    tenantId,
    serverUrl: url,
    timeoutMs,
    maxTotalMs,
    maxBytes,
    broken,
    ...(bearer === undefined ? {} : { bearer }),
  });
}
