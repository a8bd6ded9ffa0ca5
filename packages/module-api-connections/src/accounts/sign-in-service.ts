import { createHash } from "node:crypto";
import { OvenError, type Principal } from "@oven/contract";
import type { ApiAuth } from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, eq, lt } from "@oven/db/drizzle";
import { requirePermission, type SecretService } from "@oven/module-registry";
import { generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import type { ConnectionRow } from "../connections/connection-row.ts";
import { apiSignIns } from "../schema.ts";
import { type AccountStore, SHARED } from "./account-store.ts";
import { type OAuthClient, signInFailed } from "./oauth-client.ts";

/** How long a person may take at the service's page. */
const OPEN_MS = 3_600_000;
const MOST_WORDS = 300;
/** What signing the shared account in takes. */
export const UPDATE_PERMISSION = "api-connections.update";

interface Deps {
  db: Database;
  secrets: Pick<SecretService, "sealed">;
  oauth: OAuthClient;
  store: AccountStore;
  publicUrl: string;
}

interface Callback {
  code?: string | undefined;
  state: string;
  error?: string | undefined;
}

/** Signing in at a service's own page: authorization code with PKCE, for the shared account or a person's own. */
export class SignInService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = { ...deps, db: deps.db.system };
  }

  /**
   * Where the person has to go.
   * @param ownerId `SHARED`, or their own id
   * @throws OvenError API_SIGN_IN_FAILED
   */
  async begin({ userId }: Principal, connection: ConnectionRow, ownerId: number): Promise<string> {
    const auth = requireOAuth(connection);
    if (userId === null) throw signInFailed("Only a person can sign in");
    const { id: connectionId, tenantId } = connection;
    const [state, verifier] = [generateRandomState(), generateRandomCodeVerifier()];
    const sealed = this.#deps.secrets.sealed.seal(tenantId, nameOf(connectionId), verifier);
    const { orm } = this.#deps.db;
    await orm.delete(apiSignIns).where(lt(apiSignIns.createdAt, new Date(Date.now() - OPEN_MS)));
    await orm.insert(apiSignIns).values({ tenantId, connectionId, userId, ownerId, stateHash: hashOf(state), sealed });
    return this.#deps.oauth.signInUrl(auth, { redirectUri: this.redirectUri(connectionId), state, verifier });
  }

  /**
   * The person is back: the account is theirs, or the shared one.
   * @returns the account's owner
   * @throws OvenError API_SIGN_IN_FAILED, FORBIDDEN, OUTBOUND_*, SECRET_*
   */
  async finish(
    principal: Principal,
    connection: ConnectionRow,
    { code, state, error }: Callback,
    signal: AbortSignal,
  ): Promise<number> {
    const auth = requireOAuth(connection);
    const { id: connectionId, tenantId } = connection;
    // One state, one attempt, and only of the person who began it.
    const [begun] = await this.#deps.db.orm
      .delete(apiSignIns)
      .where(
        and(
          eq(apiSignIns.stateHash, hashOf(state)),
          eq(apiSignIns.connectionId, connectionId),
          eq(apiSignIns.tenantId, tenantId),
          eq(apiSignIns.userId, principal.userId ?? SHARED),
        ),
      )
      .returning();
    const isOpen = begun !== undefined && begun.createdAt.getTime() > Date.now() - OPEN_MS;
    const verifier = isOpen ? this.#deps.secrets.sealed.open(tenantId, nameOf(connectionId), begun.sealed) : undefined;
    if (begun === undefined || verifier === undefined)
      throw signInFailed("This sign-in was not begun by you here, or it is over already");
    if (begun.ownerId === SHARED) requirePermission(principal, UPDATE_PERMISSION);
    if (code === undefined)
      throw signInFailed(`The service did not agree${error === undefined ? "" : `: ${error.slice(0, MOST_WORDS)}`}`);
    const redirectUri = this.redirectUri(connectionId);
    const account = await this.#deps.oauth.exchange(tenantId, auth, { code, redirectUri, verifier }, signal);
    await this.#deps.store.write({ tenantId, connectionId, userId: begun.ownerId }, account);
    return begun.ownerId;
  }

  /** What the service must know as the address to send people back to: one for each connection, so that no service gets another's code. */
  redirectUri(connectionId: number): string {
    return `${this.#deps.publicUrl}/api/api-connections/${connectionId}/sign-in`;
  }
}

function requireOAuth({ auth, name }: ConnectionRow): Extract<ApiAuth, { type: "oauth" }> {
  if (auth.type === "oauth") return auth;
  throw new OvenError("API_SIGN_IN_FAILED", `People do not sign in at ${name}`, {
    status: 409,
    fix: "Choose OAuth in the connection's settings.",
  });
}

function nameOf(connectionId: number): string {
  return `api-sign-in/${connectionId}`;
}

function hashOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}
