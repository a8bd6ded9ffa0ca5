import { auth } from "@modelcontextprotocol/client";
import { isOvenError, OvenError, type Principal } from "@oven/contract";
import { toSessionFetch } from "../client/connect-http.ts";
import type { ConnectionService } from "./connection-service.ts";
import type { Credentials } from "./credentials.ts";
import type { Discovery } from "./discovery.ts";
import type { Servers } from "./servers.ts";

interface Deps {
  connections: ConnectionService;
  credentials: Credentials;
  servers: Servers;
  discovery: Discovery;
}

export interface Callback {
  code?: string | undefined;
  state: string;
  iss?: string | undefined;
  error?: string | undefined;
}

/** Signing OVEN in at a server that asks for it: a person agrees at the server's own page. */
export class SignInService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Where the person has to go; null: the server already lets us in.
   * @throws OvenError NOT_FOUND, MCP_CONNECTION_FAILED, OUTBOUND_*
   */
  async begin(principal: Principal, id: number): Promise<string | null> {
    const row = await this.#deps.connections.row(principal, id);
    if (row.auth.type !== "oauth" || row.url === null)
      throw new OvenError("MCP_CONNECTION_FAILED", `Nobody signs in at ${row.name}`, {
        status: 409,
        fix: "Choose OAuth in its settings.",
      });
    const state = `${id}.${crypto.randomUUID()}`;
    const store = this.#deps.credentials.of(principal.tenantId, id);
    const server = this.#deps.servers.http({ ...row, url: row.url }, store, state);
    const { signIn } = server;
    if (signIn === undefined) throw new Error("OAuth without a way to sign in");
    const fetchFn = toSessionFetch(server, this.#deps.servers.way);
    await store.write({ ...(await store.read()), state });
    const outcome = await this.#run(row.name, () =>
      auth(signIn, { serverUrl: server.url, fetchFn, forceReauthorization: true }),
    );
    return outcome === "REDIRECT" && "wanted" in signIn ? String(signIn.wanted) : null;
  }

  /** The person is back. @returns id of the connection @throws OvenError MCP_SIGN_IN_FAILED, NOT_FOUND */
  async finish(principal: Principal, { code, state, iss, error }: Callback, signal: AbortSignal): Promise<number> {
    const id = Number(/^(\d+)\./.exec(state)?.[1] ?? 0);
    const row = await this.#deps.connections.row(principal, id);
    const store = this.#deps.credentials.of(principal.tenantId, id);
    const memory = await store.read();
    const { state: expected, ...rest } = memory;
    if (row.url === null || expected === undefined || expected !== state)
      throw failed("This sign-in was not begun here, or it is over already");
    // One state, one attempt.
    await store.write(rest);
    if (code === undefined)
      throw failed(`The server did not agree${error === undefined ? "" : `: ${error.slice(0, 200)}`}`);
    const server = this.#deps.servers.http({ ...row, url: row.url }, store);
    const { signIn } = server;
    if (signIn === undefined) throw failed("The connection no longer signs in");
    const fetchFn = toSessionFetch(server, this.#deps.servers.way);
    await this.#run(row.name, () =>
      auth(signIn, { serverUrl: server.url, fetchFn, authorizationCode: code, ...(iss === undefined ? {} : { iss }) }),
    );
    await this.#deps.discovery.refresh(row, signal);
    return id;
  }

  async #run<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isOvenError(error)) throw error;
      throw failed(
        `${name} cannot be signed in at: ${error instanceof Error ? error.message.slice(0, 500) : String(error)}`,
        error,
      );
    }
  }
}

function failed(message: string, cause?: unknown): OvenError {
  return new OvenError("MCP_SIGN_IN_FAILED", message, {
    status: 422,
    fix: "Begin again at the connection's page.",
    ...(cause === undefined ? {} : { cause }),
  });
}
