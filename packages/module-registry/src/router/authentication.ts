import { isGranted, OvenError, type Principal } from "@oven/contract";
import type { Access } from "../define/define-route.ts";

/** Who sent the request, by its credentials alone. Undefined: no valid credentials. */
export interface Authentication {
  principal: Principal;
  /** A cookie is sent by the browser unasked, so its mutating requests need an Origin check. */
  via: "cookie" | "bearer";
}
export type Authenticate = (request: Request) => Promise<Authentication | undefined>;

declare module "../define/services.ts" {
  interface ServiceMap {
    /** Filled by the module that knows users and keys. */
    authenticate: Authenticate;
  }
}

const NOBODY: Principal = { kind: "system", userId: null, tenantId: 0, permissions: [] };

/**
 * Decides from the route's declaration who may pass.
 * @throws OvenError UNAUTHENTICATED 401, FORBIDDEN 403, ORIGIN_REFUSED 403
 */
export async function authorize(
  request: Request,
  access: Access,
  authenticate: Authenticate,
  publicUrl: string,
): Promise<Principal> {
  if (access === "public") return NOBODY;
  const authentication = await authenticate(request);
  if (authentication === undefined) {
    throw new OvenError("UNAUTHENTICATED", "No valid credentials came with this request", {
      status: 401,
      fix: "Sign in, or send `Authorization: Bearer <api key>`.",
    });
  }
  if (authentication.via === "cookie") checkOrigin(request, publicUrl);
  if (access !== "session") requirePermission(authentication.principal, access.permission);
  return authentication.principal;
}

/** @throws OvenError FORBIDDEN */
export function requirePermission(principal: Principal, permission: string): void {
  if (isGranted(principal.permissions, permission)) return;
  throw new OvenError("FORBIDDEN", `This needs the permission ${permission}`, {
    status: 403,
    fix: "Ask an administrator for it, or use a key that has it.",
    details: { permission },
  });
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * A browser names the page that sends a mutating request; any page but ours is refused.
 * @throws OvenError ORIGIN_REFUSED
 */
export function checkOrigin(request: Request, publicUrl: string): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const origin = request.headers.get("origin");
  const allowed =
    origin === null ? request.headers.get("sec-fetch-site") === "same-origin" : isSameSite(origin, publicUrl);
  if (allowed) return;
  throw new OvenError(
    "ORIGIN_REFUSED",
    `Requests with a session cookie are taken from ${new URL(publicUrl).origin} only`,
    {
      status: 403,
      fix: "Open the dashboard at OVEN_PUBLIC_URL, or use an API key.",
      details: { origin },
    },
  );
}

function isSameSite(origin: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const theirs = new URL(origin);
  const ours = new URL(publicUrl);
  if (theirs.origin === ours.origin) return true;
  // On one machine localhost and 127.0.0.1 are the same server.
  return (
    theirs.protocol === ours.protocol &&
    theirs.port === ours.port &&
    LOOPBACK.has(theirs.hostname) &&
    LOOPBACK.has(ours.hostname)
  );
}
