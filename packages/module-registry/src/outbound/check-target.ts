import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import { OvenError } from "@oven/contract";
import { isPublicAddress } from "./public-address.ts";

/** One that a name stands for; `family` is 4 or 6. */
export interface Address {
  address: string;
  family: number;
}

/** What decides where calls may go. The last two are replaced by tests only. */
export interface OutboundPolicy {
  /** Exact origins whose address need not be public. */
  allow: readonly string[];
  /** The value of a tenant's `secret:<name>`, for a call to that host. @throws OvenError */
  useSecret?: (tenantId: number, reference: string, host: string) => Promise<string>;
  lookup?: (host: string) => Promise<Address[]>;
  isPublic?: (address: string) => boolean;
}

/**
 * The addresses a URL may be connected to: resolved here, once, and used as they are, so that a name cannot mean
 * another machine a moment later. All of them must be public, unless the operator allows the origin.
 * @throws OvenError OUTBOUND_REFUSED, OUTBOUND_UNREACHABLE
 */
export async function checkTarget(url: URL, policy: OutboundPolicy): Promise<Address[]> {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused(`${url.protocol} is not a protocol to call`, "Use http or https.");
  }
  if (url.username !== "" || url.password !== "") {
    throw refused("The URL carries a user name or password", "Send them in an Authorization header.");
  }
  const host = toHost(url);
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host, policy) : [{ address: host, family }];
  const isPublic = policy.isPublic ?? isPublicAddress;
  if (policy.allow.includes(url.origin) || addresses.every(({ address }) => isPublic(address))) return addresses;
  throw refused(
    `${url.origin} is not on the public internet`,
    "An operator may allow the origin with OVEN_OUTBOUND_ALLOW.",
  );
}

/** Without the brackets of IPv6. */
export function toHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** @param path where the caller wrote what is refused: `$.urlSecrets.token` */
export function refused(message: string, fix: string, path?: string): OvenError {
  return new OvenError("OUTBOUND_REFUSED", message, { status: 422, fix, ...(path === undefined ? {} : { path }) });
}

export function unreachable(origin: string, cause: unknown): OvenError {
  const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return new OvenError("OUTBOUND_UNREACHABLE", `${origin} cannot be reached${reason}`, {
    status: 502,
    fix: "Check the address, and whether the service is running.",
    retryable: true,
    cause,
  });
}

async function resolve(host: string, policy: OutboundPolicy): Promise<Address[]> {
  const lookup = policy.lookup ?? ((name: string) => systemLookup(name, { all: true, verbatim: true }));
  let addresses: Address[];
  try {
    addresses = await lookup(host);
  } catch (cause) {
    throw unreachable(host, cause);
  }
  if (addresses.length === 0) throw unreachable(host, undefined);
  return addresses;
}
