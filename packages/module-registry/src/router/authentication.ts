import { isGranted, OvenError, type Principal } from "@oven/contract";
import type { Access } from "../define/define-route.ts";

/** Who sent the request, by its credentials alone. Undefined: no valid credentials. */
export interface Authentication {
  principal: Principal;
  /** A cookie is sent by the browser unasked, so its mutating requests need an Origin check. */
  via: "cookie" | "bearer";
  /** Set only where `beforeSecondFactor` was asked for. */
  lacksSecondFactor?: boolean;
}

export interface AuthenticateOptions {
  /** A session that lacks the second factor which its person's roles demand counts too, without any permission. */
  beforeSecondFactor?: boolean;
}

/** @throws OvenError SECOND_FACTOR_REQUIRED 403 for a session that lacks the second factor which its person's roles demand */
export type Authenticate = (request: Request, options?: AuthenticateOptions) => Promise<Authentication | undefined>;

declare module "../define/services.ts" {
  interface ServiceMap {
    /** Filled by the module that knows users and keys. */
    authenticate: Authenticate;
    /** `WWW-Authenticate` of a refusal: which credentials would be accepted; undefined when nothing more is known. */
    challenge?: (request: Request, error: OvenError) => Promise<string | undefined>;
  }
}

/** Whoever comes without credentials, where none are asked for. */
const NOBODY: Principal = { kind: "system", userId: null, tenantId: 0, permissions: [] };

/**
 * Who sent the request, as far as the route wants to know it.
 * @throws OvenError UNAUTHENTICATED 401, ORIGIN_REFUSED 403, SECOND_FACTOR_REQUIRED 403
 */
export async function identify(
  request: Request,
  { access, beforeSecondFactor }: { access: Access; beforeSecondFactor?: true | undefined },
  authenticate: Authenticate,
  publicUrl: string,
): Promise<Principal> {
  if (access === "public") return NOBODY;
  const authentication = await authenticate(request, { beforeSecondFactor: beforeSecondFactor === true });
  if (authentication === undefined) {
    throw new OvenError("UNAUTHENTICATED", "No valid credentials came with this request", {
      status: 401,
      fix: "Sign in, or send `Authorization: Bearer <api key>`.",
    });
  }
  if (authentication.via === "cookie") checkOrigin(request, publicUrl);
  return authentication.principal;
}

/**
 * Decides from the route's declaration whether a known caller may pass.
 * @throws OvenError FORBIDDEN 403
 */
export function authorize(principal: Principal, access: Access): void {
  if (typeof access === "object") requirePermission(principal, access.permission);
}

/**
 * @param what what needs the permission, as the error's subject
 * @throws OvenError FORBIDDEN 403; inside a run it names the side that lacks the permission
 */
export function requirePermission(principal: Principal, permission: string, what = "This"): void {
  const { permissions, limits } = principal;
  if (isGranted(permissions, permission)) return;
  const lacking = limits?.find((limit) => !isGranted(limit.permissions, permission));
  const side = lacking?.side ?? (limits === undefined ? undefined : "the starter of the run");
  // A run's record has no fix beside the message.
  const why = `${side ? `, which ${side} lacks` : ""}${lacking?.fix === undefined ? "" : `. ${lacking.fix}`}`;
  throw new OvenError("FORBIDDEN", `${what} needs the permission ${permission}${why}`, {
    status: 403,
    fix:
      lacking === undefined
        ? "Ask an administrator for it, or use a key that has it."
        : (lacking.fix ?? `Let a person who has ${permission} check and publish it again.`),
    details: { permission, ...(side === undefined ? {} : { side }) },
  });
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * A browser names the page that sends a request with its cookie. A mutating one is taken from our own pages only; a reading
 * one that another site's page makes (an image, a script, a frame's fetch) is refused too, a link followed to it is not.
 * @throws OvenError ORIGIN_REFUSED
 */
export function checkOrigin(request: Request, publicUrl: string): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  if (request.method === "GET" || request.method === "HEAD") {
    const foreign = site === "cross-site" || site === "same-site";
    if (!foreign || request.headers.get("sec-fetch-mode") === "navigate") return;
  } else if (origin === null ? site === "same-origin" : isSameSite(origin, publicUrl)) return;
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
