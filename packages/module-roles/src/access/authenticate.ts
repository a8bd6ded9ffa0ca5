import type { Database } from "@oven/db";
import { type Authenticate, addressOf } from "@oven/module-registry";
import type { KeyLookup } from "../keys/key-lookup.ts";
import type { Auth } from "./auth.ts";
import { findPrincipal } from "./find-principal.ts";

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
    const principal = await findPrincipal(db, Number(session.user.id));
    return principal === undefined ? undefined : { via: "cookie", principal };
  };
}
