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

/** Opens a session over HTTP; close it when its owner is done with it. */
export function connectHttp(server: HttpServer, way: Way, signal: AbortSignal): Promise<ServerSession> {
  const { name, url, timeoutMs, maxTotalMs, signIn, prior } = server;
  // As patient as the most patient of its calls.
  const patient = { ...server };
  let failure: unknown;
  let round = 0;
  const fetch = toSessionFetch(patient, way, () => {
    const mine = round;
    return (error) => {
      // What an earlier call left open breaks no later one.
      if (mine === round) failure = error;
    };
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    redirectPolicy: "same-origin",
    ...(signIn === undefined ? {} : { authProvider: signIn }),
  });
  return openSession({
    ...{ name, transport, timeoutMs, maxTotalMs, signal, prior },
    broken: () => failure,
    begins: (within) => {
      failure = undefined;
      round++;
      patient.maxTotalMs = Math.max(patient.maxTotalMs, within);
    },
  });
}

/** The way to a server and to whoever signs in there. */
export function toSessionFetch(
  server: HttpServer,
  { outbound, allow }: Way,
  watch: () => (error: unknown) => void = () => () => undefined,
): SessionFetch {
  const { url, tenantId, timeoutMs, maxBytes, bearer } = server;
  return createSessionFetch({
    outbound,
    allow,
    tenantId,
    serverUrl: url,
    timeoutMs,
    get maxTotalMs() {
      return server.maxTotalMs;
    },
    maxBytes,
    watch,
    ...(bearer === undefined ? {} : { bearer }),
  });
}
