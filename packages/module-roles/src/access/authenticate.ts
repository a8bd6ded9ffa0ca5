import type { Database } from "@oven/db";
import { type Authenticate, addressOf } from "@oven/module-registry";
import type { KeyLookup } from "../keys/key-lookup.ts";
import { ACCESS_TOKEN_PREFIX, type OAuthTokens } from "../oauth/oauth-tokens.ts";
import type { ProtectedAddresses } from "../oauth/protected-servers.ts";
import { findSessionPrincipal, secondFactorRequired } from "../second-factor/session-principal.ts";
import type { Auth } from "./auth.ts";

interface Credentials {
  auth: Auth;
  keys: KeyLookup;
  tokens: OAuthTokens;
  addresses: ProtectedAddresses;
}

/**
 * An API key as bearer, or an OAuth token at the address that it was made for, else the dashboard's session cookie. A bad
 * bearer is never saved by a good cookie. A session that lacks the second factor which a role demands counts only where a
 * second factor is set up.
 */
export function createAuthenticate(db: Database, { auth, keys, tokens, addresses }: Credentials): Authenticate {
  const byBearer = async (bearer: string, request: Request) => {
    if (!bearer.startsWith(ACCESS_TOKEN_PREFIX)) return keys.find(bearer, addressOf(request));
    const at = addresses.at(new URL(request.url).pathname);
    return at === undefined ? undefined : tokens.find(bearer, at.resource);
  };
  return async (request, { beforeSecondFactor = false } = {}) => {
    const authorization = request.headers.get("authorization");
    if (authorization !== null) {
      const [, bearer] = /^Bearer\s+(\S+)$/i.exec(authorization) ?? [];
      const principal = bearer === undefined ? undefined : await byBearer(bearer, request);
      return principal === undefined ? undefined : { principal, via: "bearer" };
    }
    if (!request.headers.get("cookie")?.includes("oven.session_token")) return undefined;
    const session = await auth.api.getSession({ headers: request.headers });
    if (session === null) return undefined;
    const found = await findSessionPrincipal(db, Number(session.user.id), session.session.secondFactor ?? null);
    if (found === undefined) return undefined;
    if (found.lacksSecondFactor && !beforeSecondFactor) throw secondFactorRequired();
    return { via: "cookie", ...found };
  };
}
