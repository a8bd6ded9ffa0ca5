import { isOvenError, type Principal, parseJson } from "@oven/contract";
import { addressOf, type RequestLimits } from "@oven/module-registry";
import type { AccessDeps } from "../access/access-deps.ts";
import { toRecord } from "../access/to-record.ts";
import {
  findSessionPrincipal,
  type SessionPrincipal,
  secondFactorRequired,
} from "../second-factor/session-principal.ts";
import { isDocumentAddress, readClientDocument, takesDocuments } from "./client-document.ts";
import { CONSENT_PAGE } from "./oauth-plugin.ts";
import { hasLetIn, readError, refuseAuthorization } from "./refused-authorization.ts";
import { makeRoomForClient, noteQuestion, readRegistration } from "./registration.ts";

type Endpoint = (request: Request, deps: AccessDeps, limits: RequestLimits | undefined) => Promise<Response>;

/** RFC 7636 §4.2. The provider takes any text for one, and a person would be asked for what no program can ever redeem. */
const S256_VALUE = /^[A-Za-z0-9_-]{43}$/;

/** What better-auth's OAuth provider may serve below `/api/auth/`, each behind what we check first. */
export const OAUTH_ENDPOINTS: Record<"GET" | "POST", Readonly<Record<string, Endpoint>>> = {
  GET: { "oauth2/authorize": authorize },
  POST: { "oauth2/token": exchange, "oauth2/revoke": exchange, "oauth2/register": register, "oauth2/consent": consent },
};

/** Only for the address of an MCP server that this person sees. Who is not signed in does so first, and learns nothing before. */
async function authorize(request: Request, deps: AccessDeps): Promise<Response> {
  const { auth, addresses, db, environment, outbound, registry } = deps;
  const { searchParams } = new URL(request.url);
  const principal = await signedIn(request, deps);
  if (principal === undefined) {
    searchParams.delete("sig");
    return Response.redirect(new URL(`${CONSENT_PAGE}?${searchParams}`, environment.publicUrl), 302);
  }
  const [resource, ...others] = searchParams.getAll("resource");
  // Without one, or with several, the provider would make a token that is good for nothing, or for too much.
  const at = resource === undefined || others.length > 0 ? undefined : addresses.named(resource);
  const server = await at?.servers.describe(principal, at.path);
  if (at === undefined || server === undefined)
    return refuseAuthorization(request, {
      error: "invalid_target",
      description: "`resource` must be the address of one MCP server that you can see",
    });
  if (!searchParams.getAll("code_challenge").every((challenge) => S256_VALUE.test(challenge)))
    return refuseAuthorization(request, {
      error: "invalid_request",
      description: "`code_challenge` must be the base64url of a SHA-256 hash: 43 characters",
    });
  const clientId = searchParams.get("client_id") ?? "";
  const { outboundAllow: allowed } = environment;
  if (takesDocuments(environment) && isDocumentAddress(clientId, allowed)) {
    const permissions = registry.permissions().map(({ id }) => id);
    const problem = await readClientDocument({ db, outbound, allowed, permissions }, clientId);
    if (problem !== undefined) return refuseAuthorization(request, { error: "invalid_client", description: problem });
  }
  await db.query(
    "insert into oauth_resources (identifier, name) values ($1, $2) on conflict (identifier) do update set name = excluded.name",
    [at.resource, server.title],
  );
  // A redirect for whoever follows it; the provider tells scripts of one as JSON.
  const headers = new Headers(request.headers);
  headers.set("accept", "text/html");
  headers.set("sec-fetch-mode", "navigate");
  const response = await auth.handler(new Request(request.url, { headers }));
  const location = response.headers.get("location");
  if (location === null) return response;
  const target = new URL(location, environment.publicUrl);
  if (target.origin === new URL(environment.publicUrl).origin) {
    if (target.pathname !== CONSENT_PAGE) return refuseAuthorization(request, readError(target));
    await noteQuestion(db, clientId);
    return response;
  }
  // All else goes to the client: with a code, or with an error.
  if (await hasLetIn(db, clientId, principal.userId)) return response;
  return refuseAuthorization(request, readError(target));
}

async function exchange(request: Request, { auth }: AccessDeps, limits: RequestLimits | undefined): Promise<Response> {
  const response = await auth.handler(request);
  if (response.status === 400 || response.status === 401) await limits?.refused(addressOf(request));
  return response;
}

async function register(
  request: Request,
  { auth, db }: AccessDeps,
  limits: RequestLimits | undefined,
): Promise<Response> {
  await limits?.admitStranger(addressOf(request), "oauth registration");
  const read = readRegistration(await readJson(request));
  if ("error" in read) return refuse(read.error, read.description);
  await makeRoomForClient(db);
  const headers = new Headers({ "content-type": "application/json", accept: "application/json" });
  const address = request.headers.get("x-forwarded-for");
  if (address !== null) headers.set("x-forwarded-for", address);
  return auth.handler(new Request(request.url, { method: "POST", headers, body: JSON.stringify(read.registration) }));
}

/** Written down: who let which program in, or did not. */
async function consent(request: Request, deps: AccessDeps): Promise<Response> {
  const found = await findSession(request, deps);
  // The library would take it.
  if (found?.lacksSecondFactor === true) throw secondFactorRequired();
  const principal = found?.principal;
  const body = await readJson(request.clone());
  const response = await deps.auth.handler(request);
  const accepted = typeof body === "object" && body !== null && "accept" in body && body.accept === true;
  const user = principal?.userId == null ? undefined : { id: principal.userId, tenant_id: principal.tenantId };
  await deps.audit.record(toRecord(request, accepted ? "oauth.allow" : "oauth.deny", response.status, user));
  return response;
}

/** Undefined also while they have not shown the second factor that a role of theirs demands. */
async function signedIn(request: Request, deps: AccessDeps): Promise<Principal | undefined> {
  const found = await findSession(request, deps);
  return found?.lacksSecondFactor === false ? found.principal : undefined;
}

async function findSession(request: Request, { auth, db }: AccessDeps): Promise<SessionPrincipal | undefined> {
  const session = await auth.api.getSession({ headers: request.headers });
  if (session === null) return undefined;
  return findSessionPrincipal(db, Number(session.user.id), session.session.secondFactor ?? null);
}

/** As OAuth words its errors (RFC 6749 §5.2). */
function refuse(error: string, description: string): Response {
  return Response.json({ error, error_description: description }, { status: 400 });
}

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || isOvenError(error)) return undefined;
    throw error;
  }
}
