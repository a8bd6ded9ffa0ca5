import { intersectPermissions, type Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import { PERMISSIONS_OF_U } from "../access/grants.ts";
import { hashKey } from "../keys/key-format.ts";
import { TENANT_OF_U_IS_OPEN } from "../tenants/tenant-is-open.ts";

/** What access tokens begin with, so that they are known from API keys. */
export const ACCESS_TOKEN_PREFIX = "oven_at_";
export const REFRESH_TOKEN_PREFIX = "oven_rt_";
/** Asks for a refresh token, and permits nothing. */
export const OFFLINE = "offline_access";

interface AppRow extends Record<string, unknown> {
  user_id: number;
  tenant_id: number;
  client_id: string;
  scopes: string[];
  granted: string[];
}

interface TokenRow extends AppRow {
  resources: string[] | null;
}

interface Token {
  principal: Principal;
  resources: readonly string[];
}

/** Finds who an OAuth access token stands for: a person with the rights they have now, no more than they allowed. */
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

  /** Whether its client may refresh it. */
  async isOffline(token: string): Promise<boolean> {
    const rows = await this.#db.query(
      "select 1 from oauth_access_tokens where token = $1 and $2 = any(scopes)",
      [hashKey(token.slice(ACCESS_TOKEN_PREFIX.length)), OFFLINE],
      "oauth-token-offline",
    );
    return rows.length > 0;
  }

  async #select(hash: string): Promise<Token | undefined> {
    const [row] = await this.#db.query<TokenRow>(
      `select u.id as user_id, u.tenant_id, t.client_id, t.scopes, t.resources, ${PERMISSIONS_OF_U} as granted
       from oauth_access_tokens t
         join users u on u.id = t.user_id
         join oauth_clients c on c.client_id = t.client_id
       where t.token = $1 and t.revoked is null and t.expires_at > now() and c.disabled is not true
         and u.disabled_at is null and ${TENANT_OF_U_IS_OPEN}`,
      [hash],
      "oauth-token",
    );
    if (row === undefined) return undefined;
    return { principal: toPrincipal(row), resources: row.resources ?? [] };
  }

  /**
   * A person by the program that acts in their name, for work that it began earlier: undefined once its consent, or its newest refresh
   * token, was revoked. A token that has merely expired ends nothing.
   */
  async findApp(userId: number, clientId: string, tenantId: number): Promise<Principal | undefined> {
    const [row] = await this.#db.query<AppRow>(
      `select u.id as user_id, u.tenant_id, c.client_id, ${PERMISSIONS_OF_U} as granted,
         array(select distinct unnest(o.scopes) from oauth_consents o
               where o.client_id = c.client_id and o.user_id = u.id) as scopes
       from users u join oauth_clients c on c.client_id = $2
       where u.id = $1 and u.tenant_id = $3 and c.disabled is not true and u.disabled_at is null
         and ${TENANT_OF_U_IS_OPEN}
         and exists (select from oauth_consents o where o.client_id = c.client_id and o.user_id = u.id)
         and coalesce((select t.revoked is null from oauth_refresh_tokens t where t.client_id = $2 and t.user_id = $1
                       order by t.id desc limit 1), true)`,
      [userId, clientId, tenantId],
      "oauth-app",
    );
    return row && toPrincipal(row);
  }
}

function toPrincipal({ user_id, tenant_id, client_id, scopes, granted }: AppRow): Principal {
  const allowed = scopes.filter((scope) => scope !== OFFLINE);
  const permissions = intersectPermissions(allowed, granted);
  return { kind: "user", userId: user_id, tenantId: tenant_id, permissions, through: { app: client_id } };
}
