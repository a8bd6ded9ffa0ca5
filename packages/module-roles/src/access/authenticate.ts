import type { Database } from "@oven/db";
import type { Authenticate } from "@oven/module-registry";
import type { KeyLookup } from "../keys/key-lookup.ts";
import type { Auth } from "./auth.ts";
import { permissionsOf } from "./roles.ts";

interface UserRow extends Record<string, unknown> {
  tenant_id: number;
  role: string;
}

/** An API key as bearer, else the dashboard's session cookie. A bad bearer is never saved by a good cookie. */
export function createAuthenticate(db: Database, auth: Auth, keys: KeyLookup): Authenticate {
  return async (request) => {
    const authorization = request.headers.get("authorization");
    if (authorization !== null) {
      const [, key] = /^Bearer\s+(\S+)$/i.exec(authorization) ?? [];
      const principal = key === undefined ? undefined : await keys.find(key);
      return principal === undefined ? undefined : { principal, via: "bearer" };
    }
    if (!request.headers.get("cookie")?.includes("oven.session_token")) return undefined;
    const session = await auth.api.getSession({ headers: request.headers });
    if (session === null) return undefined;
    const userId = Number(session.user.id);
    const [user] = await db.query<UserRow>("select tenant_id, role from users where id = $1", [userId], "session-user");
    if (user === undefined) return undefined;
    return {
      via: "cookie",
      principal: { kind: "user", userId, tenantId: user.tenant_id, permissions: permissionsOf(user.role) },
    };
  };
}
