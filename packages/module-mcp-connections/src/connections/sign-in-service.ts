import { OvenError, type Principal, toActor } from "@oven/contract";
import { beginSignIn, finishSignIn, type SigningIn, signInFailed } from "../client/sign-in-flow.ts";
import type { ConnectionRow } from "./connection-row.ts";
import type { ConnectionService } from "./connection-service.ts";
import type { Credentials } from "./credentials.ts";
import type { Discovery } from "./discovery.ts";
import type { Servers } from "./servers.ts";

/** How long a person may take at the server's page. */
const OPEN_MS = 3_600_000;

interface Deps {
  connections: ConnectionService;
  credentials: Credentials;
  servers: Servers;
  discovery: Discovery;
}

interface Callback {
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
   * @throws OvenError NOT_FOUND, MCP_SIGN_IN_FAILED, MCP_CONNECTION_FAILED, OUTBOUND_*
   */
  async begin(principal: Principal, id: number, signal: AbortSignal): Promise<string | null> {
    const row = await this.#deps.connections.row(principal, id);
    if (row.auth.type !== "oauth")
      throw new OvenError("MCP_SIGN_IN_FAILED", `Nobody signs in at ${row.name}`, {
        status: 409,
        fix: "Choose OAuth in its settings.",
      });
    const state = `${id}.${crypto.randomUUID()}`;
    const signingIn = this.#signingIn(row, state);
    const begun = { state, by: nameOf(principal), at: Date.now() };
    await signingIn.store.write({ ...(await signingIn.store.read()), begun });
    const wanted = await beginSignIn(signingIn, signal);
    if (wanted === null) await this.#deps.discovery.refresh(row, signal);
    return wanted === null ? null : wanted.href;
  }

  /** The person is back. @returns id of the connection @throws OvenError MCP_SIGN_IN_FAILED, NOT_FOUND */
  async finish(principal: Principal, { code, state, iss, error }: Callback, signal: AbortSignal): Promise<number> {
    const id = Number(/^(\d{1,15})\./.exec(state)?.[1] ?? 0);
    const row = await this.#deps.connections.row(principal, id);
    const signingIn = this.#signingIn(row);
    const { store } = signingIn;
    const { begun, ...rest } = await store.read();
    if (begun === undefined || begun.state !== state || begun.by !== nameOf(principal))
      throw signInFailed("This sign-in was not begun by you here, or it is over already");
    // One state, one attempt.
    await store.write(rest);
    if (begun.at < Date.now() - OPEN_MS) throw signInFailed("This sign-in has taken more than an hour");
    if (code === undefined)
      throw signInFailed(`The server did not agree${error === undefined ? "" : `: ${error.slice(0, 200)}`}`);
    await finishSignIn(signingIn, { code, iss });
    await this.#deps.discovery.refresh(row, signal);
    return id;
  }

  #signingIn(row: ConnectionRow, state?: string): SigningIn {
    const { servers, credentials } = this.#deps;
    const store = credentials.of(row.tenantId, row.id);
    const signIn = servers.signIn(row.tenantId, row.auth, store, state);
    if (signIn === undefined || row.url === null) throw signInFailed(`Nobody signs in at ${row.name}`);
    return { server: servers.http({ ...row, url: row.url }, store), signIn, store, way: servers.way };
  }
}

function nameOf(principal: Principal): string {
  const { kind, id } = toActor(principal);
  return `${kind}:${id}`;
}
