import type { McpConnectionAuth } from "@oven/contract/mcp";
import type { ToolCallOptions } from "@oven/module-agent-core";
import type { ServiceMap } from "@oven/module-registry";
import { connectHttp, type HttpServer, type Way } from "../client/connect-http.ts";
import type { Prior, ServerSession } from "../client/server-session.ts";
import { createSignIn, type SignIn, type SignInStore } from "../client/sign-in.ts";
import type { LeasedSession } from "../sessions/open-session.ts";
import type { SessionOwner } from "../sessions/session-owner.ts";
import type { SessionPool } from "../sessions/session-pool.ts";
import type { StdioServers } from "../stdio/stdio-servers.ts";
import type { ConnectionRow } from "./connection-row.ts";
import type { Credentials } from "./credentials.ts";

export interface ServersDeps {
  services: Pick<ServiceMap, "outbound" | "secrets">;
  credentials: Credentials;
  stdio: StdioServers;
  allow: readonly string[];
  publicUrl: string;
  sessions: SessionPool;
}

export interface Target {
  name: string;
  tenantId: number;
  url: string;
  auth: McpConnectionAuth;
  timeoutMs: number;
  /** Absent: `timeoutMs` bounds each request as a whole. */
  maxTotalMs?: number;
  maxBytes: number;
}

/** Opens conversations with the servers of connections. */
export class Servers {
  readonly #deps: ServersDeps;

  constructor(deps: ServersDeps) {
    this.#deps = deps;
  }

  /**
   * A session of the caller's own, to be closed.
   * @throws OvenError MCP_CONNECTION_FAILED, MCP_CONNECTION_UNAUTHORIZED, TOOL_TIMEOUT, OUTBOUND_*, SECRET_*
   */
  async open(row: ConnectionRow, signal: AbortSignal, { fresh = false } = {}): Promise<ServerSession> {
    const { id, tenantId, name, url, transport } = row;
    if (transport === "stdio" || url === null) return this.#deps.stdio.open(tenantId, name, signal);
    const store = this.#deps.credentials.of(tenantId, id);
    const prior = fresh ? undefined : priorOf(row);
    return connectHttp({ ...this.http({ ...row, url }, store), prior }, this.way, signal);
  }

  /**
   * The owner's session. A server of the newer era over HTTP has none: each of its calls stands for itself.
   * @throws OvenError as `open`, and MCP_SESSIONS_FULL
   */
  async lease(
    row: ConnectionRow,
    owner: SessionOwner,
    signal: AbortSignal,
    { fresh = false, outside }: { fresh?: boolean; outside?: ToolCallOptions["outside"] } = {},
  ): Promise<LeasedSession> {
    if (row.transport === "http" && priorOf(row)?.kind === "modern") {
      // For one call alone, so it is as patient as the call.
      const session = await this.open({ ...row, ...outside }, signal, { fresh });
      return { ...session, isNew: false, discard: () => session.close() };
    }
    return this.#deps.sessions.lease({
      server: row,
      owner,
      signal,
      open: (ended, stopped) =>
        row.transport === "stdio"
          ? this.#deps.stdio.open(row.tenantId, row.name, stopped, ended)
          : this.open(row, stopped, { fresh }),
    });
  }

  /** Settings that are not stored: who must sign in cannot be tried so. */
  async tryOut(target: Target, signal: AbortSignal): Promise<ServerSession> {
    const memory = new Map<"memory", Awaited<ReturnType<SignInStore["read"]>>>();
    const store: SignInStore = {
      read: async () => memory.get("memory") ?? {},
      write: async (kept) => void memory.set("memory", kept),
    };
    return connectHttp(this.http(target, store), this.way, signal);
  }

  http(target: Target, store: SignInStore): HttpServer {
    const { name, tenantId, url, auth, timeoutMs, maxTotalMs = timeoutMs, maxBytes } = target;
    const signIn = this.signIn(tenantId, auth, store);
    return {
      ...{ name, tenantId, url, timeoutMs, maxTotalMs, maxBytes },
      ...(auth.type === "bearer" ? { bearer: { $secret: auth.secret, prefix: "Bearer " } } : {}),
      ...(signIn === undefined ? {} : { signIn }),
    };
  }

  signIn(tenantId: number, auth: McpConnectionAuth, store: SignInStore, state?: string): SignIn | undefined {
    if (auth.type !== "oauth" && auth.type !== "client-credentials") return undefined;
    const { scope, clientId, clientSecret } = auth;
    const { secrets } = this.#deps.services;
    return createSignIn({
      store,
      scope,
      clientId,
      ...(auth.type === "oauth" ? { redirectUrl: callbackUrl(this.#deps.publicUrl) } : {}),
      ...(this.#deps.publicUrl.startsWith("https:") ? { clientMetadataUrl: clientUrl(this.#deps.publicUrl) } : {}),
      ...(clientSecret === undefined
        ? {}
        : { clientSecret: (host: string) => secrets.use(tenantId, `secret:${clientSecret}`, host) }),
      ...(state === undefined ? {} : { state: () => state }),
    });
  }

  get way(): Way {
    return { outbound: this.#deps.services.outbound, allow: this.#deps.allow };
  }
}

function priorOf({ prior }: ConnectionRow): Prior | undefined {
  return (prior ?? undefined) as Prior | undefined; // cast: as an earlier session wrote it
}

/** Where authorization servers read what OVEN is as a client. */
export function clientUrl(publicUrl: string): string {
  return `${publicUrl}/api/mcp-connections/client-metadata`;
}

export function callbackUrl(publicUrl: string): string {
  return `${publicUrl}/api/mcp-connections/sign-in`;
}
