import { isOvenError, notFound, parseJson } from "@oven/contract";
import { addressOf, defineRoute, limitBody, type Route } from "@oven/module-registry";
import { limitsOf, limitsOfDevice } from "../limits/sign-in-limits.ts";
import { OAUTH_ENDPOINTS } from "../oauth/oauth-endpoints.ts";
import type { AccessDeps } from "./access-deps.ts";
import { OIDC_PROVIDER } from "./auth.ts";
import { hashSessionToken } from "./hashed-sessions.ts";
import { toRecord } from "./to-record.ts";

const AUTH_BODY_LIMIT = 65_536;
const SIGN_IN = "sign-in/email";
const PROVIDER_SIGN_IN = "sign-in/social";
const OIDC_CALLBACK = `callback/${OIDC_PROVIDER}`;

/** All that better-auth may serve. Its other endpoints (keys, profiles, linking) would go around our permissions. */
const OFFERED: Record<"GET" | "POST", ReadonlySet<string>> = {
  GET: new Set(["get-session", OIDC_CALLBACK, "error"]),
  POST: new Set([SIGN_IN, "sign-out", PROVIDER_SIGN_IN]),
};

/** better-auth's endpoints for signing in and out and for OAuth, limited and written down. */
export function signInRoutes(deps: () => AccessDeps): Route[] {
  const betterAuth = (method: "GET" | "POST") =>
    defineRoute({
      method,
      path: "auth/[...path]",
      operation: false,
      summary: "Sign in and out (better-auth)",
      access: "public",
      raw: true,
      handler: async ({ request, services }) => {
        const path = new URL(request.url).pathname.slice("/api/auth/".length);
        const oauth = Object.hasOwn(OAUTH_ENDPOINTS[method], path) ? OAUTH_ENDPOINTS[method][path] : undefined;
        if (oauth === undefined && !OFFERED[method].has(path)) throw notFound("the sign-in endpoint", path);
        const limited = await limitBody(request, AUTH_BODY_LIMIT);
        if (oauth !== undefined) return oauth(limited, deps(), services.requestLimits);
        if (method === "POST" && path === SIGN_IN) return signIn(limited, deps());
        // Only by way of the provider's pages: a token sent here directly would go around the callback.
        if (path === PROVIDER_SIGN_IN && "idToken" in (await readBody(limited.clone())))
          throw notFound("the sign-in endpoint", path);
        const response = await deps().auth.handler(limited);
        if (path === OIDC_CALLBACK) await recordProviderSignIn(limited, response, deps());
        return response;
      },
    });
  return [betterAuth("GET"), betterAuth("POST")];
}

async function signIn(request: Request, { auth, attempts, audit, db, devices }: AccessDeps): Promise<Response> {
  const account = await readAccount(request.clone());
  const device = devices.find(request, account);
  const succeeded = attempts.begin(
    device === undefined ? limitsOf(account, addressOf(request)) : limitsOfDevice(account, device),
  );
  const response = await auth.handler(request);
  if (response.ok) succeeded();
  const [user] = await db.query<{ id: number; tenant_id: number }>("select id, tenant_id from users where email = $1", [
    account,
  ]);
  await audit.record(toRecord(request, "sign-in", response.status, user));
  if (!response.ok) return response;
  const headers = new Headers(response.headers);
  headers.append("set-cookie", devices.remember(request, account));
  return new Response(response.body, { status: response.status, headers });
}

/** Whoever came back from the provider: with a session, or with an error. */
async function recordProviderSignIn(request: Request, response: Response, { audit, db }: AccessDeps): Promise<void> {
  const cookie = response.headers.getSetCookie().find((entry) => /oven\.session_token=[^;]/.test(entry)) ?? "";
  const [, token] = /session_token=([^.;]+)/.exec(cookie) ?? [];
  const [user] = await db.query<{ id: number; tenant_id: number }>(
    "select u.id, u.tenant_id from users u join sessions s on s.user_id = u.id where s.token = $1",
    [token === undefined ? "" : hashSessionToken(decodeURIComponent(token))],
  );
  await audit.record(toRecord(request, "sign-in.oidc", user === undefined ? 403 : 200, user));
}

/** What was typed as the e-mail address, as accounts are written; empty when there is none. */
async function readAccount(request: Request): Promise<string> {
  const { email } = await readBody(request);
  return typeof email === "string" ? email.trim().toLowerCase().slice(0, 320).toWellFormed().replaceAll("\0", "") : "";
}

/** The body's fields; none when it is not an object. */
async function readBody(request: Request): Promise<{ email?: unknown; idToken?: unknown }> {
  const text = await request.text();
  try {
    const body: unknown = parseJson(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch (error) {
    if (error instanceof SyntaxError || isOvenError(error)) return {};
    throw error;
  }
}
