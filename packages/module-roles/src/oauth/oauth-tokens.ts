import type { Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import { intersect, PERMISSIONS_OF_U } from "../access/grants.ts";
import { hashKey } from "../keys/key-format.ts";
import { TENANT_OF_U_IS_OPEN } from "../tenants/tenant-is-open.ts";

/** What access tokens begin with, so that they are known from API keys. */
export const ACCESS_TOKEN_PREFIX = "oven_at_";
export const REFRESH_TOKEN_PREFIX = "oven_rt_";
/** Asks for a refresh token, and permits nothing. */
export const OFFLINE = "offline_access";

interface TokenRow extends Record<string, unknown> {
  user_id: number;
  tenant_id: number;
  scopes: string[];
  resources: string[] | null;
  granted: string[];
}

interface Token {
  principal: Principal;
  resources: readonly string[];
}

/** Finds who an OAuth access token stands for: a person with the rights he has now, no more than he allowed. */
export class OAuthTokens {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Asked anew for each request: one that is ended is refused at once, by every process.
   * @param audience the address that was called (RFC 8707): a token is good for the one that it was made for.
   */
  async find(token: string, audience: string): Promise<Principal | undefined> {
    const found = await this.#select(hashKey(token.slice(ACCESS_TOKEN_PREFIX.length)));
    return found?.resources.includes(audience) === true ? found.principal : undefined;
  }

  async #select(hash: string): Promise<Token | undefined> {
    const [row] = await this.#db.query<TokenRow>(
      `select u.id as user_id, u.tenant_id, t.scopes, t.resources, ${PERMISSIONS_OF_U} as granted
       from oauth_access_tokens t
         join users u on u.id = t.user_id
         join oauth_clients c on c.client_id = t.client_id
       where t.token = $1 and t.revoked is null and t.expires_at > now() and c.disabled is not true
         and u.disabled_at is null and ${TENANT_OF_U_IS_OPEN}`,
      [hash],
      "oauth-token",
    );
    if (row === undefined) return undefined;
    const allowed = row.scopes.filter((scope) => scope !== OFFLINE);
    const permissions = intersect(allowed, row.granted);
    return {
      principal: { kind: "user", userId: row.user_id, tenantId: row.tenant_id, permissions },
      resources: row.resources ?? [],
    };
  }
}
