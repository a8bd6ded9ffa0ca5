import { isGranted, type OvenError, type Principal } from "@oven/contract";
import { ACCESS_TOKEN_PREFIX, OFFLINE } from "./oauth-tokens.ts";
import type { ProtectedAddresses } from "./protected-servers.ts";

export interface ChallengeDeps {
  addresses: ProtectedAddresses;
  /** Who sent it, as far as its token says. */
  identify(request: Request): Promise<Principal | undefined>;
  /** Whether the client of this access token may refresh it. */
  isOffline(token: string): Promise<boolean>;
  /** With all the rights that they have. */
  findPrincipal(userId: number, tenantId: number): Promise<Principal | undefined>;
}

/**
 * `WWW-Authenticate` for a refused request at an MCP server: where to get a token (RFC 9728) and with which scopes (RFC 6750). Most
 * clients ask for exactly these scopes, so they name `offline_access`: without it, a connection ends with its first token.
 * Undefined: nothing that a token could change.
 */
export async function challengeFor(
  { addresses, identify, isOffline, findPrincipal }: ChallengeDeps,
  request: Request,
  { status, details }: OvenError,
): Promise<string | undefined> {
  const { pathname } = new URL(request.url);
  const at = addresses.at(pathname);
  if (at === undefined) return undefined;
  const metadata = `resource_metadata="${addresses.metadataUrl(pathname)}"`;
  if (status === 401) {
    const invalid = request.headers.has("authorization") ? ['error="invalid_token"'] : [];
    return `Bearer ${['realm="oven"', ...invalid, metadata, `scope="${[...at.servers.scopes(), OFFLINE].join(" ")}"`].join(", ")}`;
  }
  const missing = missingIn(details);
  const token = accessTokenOf(request);
  if (status !== 403 || missing.length === 0 || token === undefined) return undefined;
  const principal = await identify(request);
  if (typeof principal?.userId !== "number") return undefined;
  const person = await findPrincipal(principal.userId, principal.tenantId);
  // Asking a person again does not bring rights that they do not have themselves.
  if (!missing.every((permission) => isGranted(person?.permissions ?? [], permission))) return undefined;
  const offline = (await isOffline(token)) ? [OFFLINE] : [];
  const scopes = [...new Set([...principal.permissions, ...missing, ...offline])].join(" ");
  return `Bearer error="insufficient_scope", scope="${scopes}", ${metadata}, error_description="This needs ${missing.join(" ")}"`;
}

function missingIn(details: OvenError["details"]): string[] {
  const { permissions, permission } = details ?? {};
  return [permissions ?? permission].flat().filter((one): one is string => typeof one === "string");
}

function accessTokenOf(request: Request): string | undefined {
  const token = request.headers.get("authorization")?.slice("Bearer ".length);
  return token?.startsWith(ACCESS_TOKEN_PREFIX) === true ? token : undefined;
}
