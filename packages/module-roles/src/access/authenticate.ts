import type { Database } from "@oven/db";
import { type Authenticate, addressOf } from "@oven/module-registry";
import type { KeyLookup } from "../keys/key-lookup.ts";
import { TENANT_OF_U_IS_OPEN } from "../tenants/tenant-is-open.ts";
import type { Auth } from "./auth.ts";
import { PERMISSIONS_OF_U } from "./grants.ts";

interface UserRow extends Record<string, unknown> {
  tenant_id: number;
  permissions: string[];
}

/** An API key as bearer, else the dashboard's session cookie. A bad bearer is never saved by a good cookie. */
export function createAuthenticate(db: Database, auth: Auth, keys: KeyLookup): Authenticate {
  return async (request) => {
    const authorization = request.headers.get("authorization");
    if (authorization !== null) {
      const [, key] = /^Bearer\s+(\S+)$/i.exec(authorization) ?? [];
      const principal = key === undefined ? undefined : await keys.find(key, addressOf(request));
      return principal === undefined ? undefined : { principal, via: "bearer" };
    }
    if (!request.headers.get("cookie")?.includes("oven.session_token")) return undefined;
    const session = await auth.api.getSession({ headers: request.headers });
    if (session === null) return undefined;
    const userId = Number(session.user.id);
    const [user] = await db.query<UserRow>(
      `select u.tenant_id, ${PERMISSIONS_OF_U} as permissions from users u where u.id = $1 and u.disabled_at is null and ${TENANT_OF_U_IS_OPEN}`,
      [userId],
      "session-user",
    );
    if (user === undefined) return undefined;
    return {
      via: "cookie",
      principal: { kind: "user", userId, tenantId: user.tenant_id, permissions: user.permissions },
    };
  };
}
