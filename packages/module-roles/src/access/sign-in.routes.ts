import { isOvenError, notFound, parseJson } from "@oven/contract";
import { addressOf, checkOrigin, defineRoute, limitBody, type RequestLimits, type Route } from "@oven/module-registry";
import { limitsOf, limitsOfDevice } from "../limits/sign-in-limits.ts";
import { OAUTH_ENDPOINTS } from "../oauth/oauth-endpoints.ts";
import { findSessionPrincipal, secondFactorRequired } from "../second-factor/session-principal.ts";
import type { AccessDeps } from "./access-deps.ts";
import { OIDC_PROVIDER } from "./auth.ts";
import { signInWithCode } from "./code-sign-in.ts";
import { hashSessionToken, sessionTokenIn } from "./hashed-sessions.ts";
import { challengePasskey, signInWithPasskey } from "./passkey-sign-in.ts";
import { toRecord } from "./to-record.ts";

const AUTH_BODY_LIMIT = 65_536;
const SIGN_IN = "sign-in/email";
const PROVIDER_SIGN_IN = "sign-in/social";
const OIDC_CALLBACK = `callback/${OIDC_PROVIDER}`;

const GET_SESSION = "get-session";
const CODE = "sign-in/code";
const PASSKEY_OPTIONS = "sign-in/passkey/options";
const PASSKEY = "sign-in/passkey";

/** All that better-auth may serve. Its other endpoints (keys, profiles, linking) would go around our permissions. */
const OFFERED: Record<"GET" | "POST", ReadonlySet<string>> = {
  GET: new Set([GET_SESSION, OIDC_CALLBACK, "error"]),
  POST: new Set([SIGN_IN, CODE, PASSKEY_OPTIONS, PASSKEY, "sign-out", PROVIDER_SIGN_IN]),
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
        if (path === SIGN_IN) return signIn(limited, deps());
        if (path === CODE || path === PASSKEY || path === PASSKEY_OPTIONS)
          return signInOtherwise(path, limited, deps(), services.requestLimits);
        if (path === GET_SESSION) await requireWholeSession(limited, deps());
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

/** What the library's own handler would check for its endpoints: these are ours. */
async function signInOtherwise(
  path: typeof CODE | typeof PASSKEY | typeof PASSKEY_OPTIONS,
  request: Request,
  deps: AccessDeps,
  limits: RequestLimits | undefined,
): Promise<Response> {
  checkOrigin(request, deps.environment.publicUrl);
  if (path === PASSKEY_OPTIONS) return challengePasskey(request, deps, limits);
  const { code, response } = await readBody(request.clone());
  return path === CODE ? signInWithCode(request, deps, code) : signInWithPasskey(request, deps, limits, response);
}

/** @throws OvenError SECOND_FACTOR_REQUIRED */
async function requireWholeSession(request: Request, { auth, db }: AccessDeps): Promise<void> {
  // It is prolonged by what comes after.
  const session = await auth.api.getSession({ headers: request.headers, query: { disableRefresh: true } });
  if (session === null) return;
  const found = await findSessionPrincipal(db, Number(session.user.id), session.session.secondFactor ?? null);
  if (found?.lacksSecondFactor === true) throw secondFactorRequired();
}

async function signIn(request: Request, { auth, attempts, audit, db, devices }: AccessDeps): Promise<Response> {
  const account = await readAccount(request.clone());
  const device = devices.find(request, account);
  const succeeded = await attempts.begin(
    device === undefined ? limitsOf(account, addressOf(request)) : limitsOfDevice(account, device),
  );
  const response = await auth.handler(request);
  if (response.ok) await succeeded();
  // The library has set no session then, but a challenge.
  const asksForCode = response.ok && sessionTokenIn(response) === undefined;
  const [user] = await db.query<{ id: number; tenant_id: number }>("select id, tenant_id from users where email = $1", [
    account,
  ]);
  await audit.record(toRecord(request, asksForCode ? "sign-in.password" : "sign-in", response.status, user));
  // A device is known once a person has signed in on it, not before.
  if (!response.ok || asksForCode) return response;
  const headers = new Headers(response.headers);
  headers.append("set-cookie", devices.remember(request, account));
  return new Response(response.body, { status: response.status, headers });
}

/** Whoever came back from the provider: with a session, or with an error. */
async function recordProviderSignIn(request: Request, response: Response, { audit, db }: AccessDeps): Promise<void> {
  const token = sessionTokenIn(response);
  const [user] = await db.query<{ id: number; tenant_id: number }>(
    "select u.id, u.tenant_id from users u join sessions s on s.user_id = u.id where s.token = $1",
    [token === undefined ? "" : hashSessionToken(token)],
  );
  await audit.record(toRecord(request, "sign-in.oidc", user === undefined ? 403 : 200, user));
}

/** What was typed as the e-mail address, as accounts are written; empty when there is none. */
async function readAccount(request: Request): Promise<string> {
  const { email } = await readBody(request);
  return typeof email === "string" ? email.trim().toLowerCase().slice(0, 320).toWellFormed().replaceAll("\0", "") : "";
}

interface Body {
  email?: unknown;
  idToken?: unknown;
  code?: unknown;
  response?: unknown;
}

/** The body's fields; none when it is not an object. */
async function readBody(request: Request): Promise<Body> {
  const text = await request.text();
  try {
    const body: unknown = parseJson(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch (error) {
    if (error instanceof SyntaxError || isOvenError(error)) return {};
    throw error;
  }
}
