import type { SecretReference } from "@oven/contract/access";
import type { OutboundPolicy } from "./check-target.ts";
import { refused } from "./check-target.ts";
import { fillPlaces, placeSecrets } from "./outbound-url.ts";
import type { OutboundInit } from "./safe-fetch.ts";

/** A call with the values of the secrets that it refers to. Nothing may show its URL but for the origin. */
export interface FilledCall {
  url: URL;
  headers: Record<string, string>;
  /** What was filled in, by the name of the secret. */
  secrets: Record<string, string>;
}

type Secretive = Pick<OutboundInit, "headers" | "tenantId" | "urlSecrets" | "query">;

/**
 * Fills in the secrets that the URL, the query and the headers of a call refer to.
 * @throws OvenError OUTBOUND_REFUSED, SECRET_UNKNOWN, SECRET_HOST_REFUSED, SECRET_UNREADABLE
 */
export async function fillSecrets(
  target: string | URL,
  { headers = {}, tenantId, urlSecrets, query }: Secretive,
  policy: OutboundPolicy,
): Promise<FilledCall> {
  const placed = placeSecrets(target, urlSecrets, query);
  const secrets: Record<string, string> = {};
  const take = async (reference: SecretReference, what: string, path?: string): Promise<string> => {
    const value = await readSecret(placed.url, reference.$secret, { what, path, tenantId }, policy);
    secrets[reference.$secret] = value;
    return value;
  };
  const values = new Map<string, string>();
  for (const { standIn, reference, what, path } of placed.places) {
    if (reference.user !== undefined)
      throw refused(`${what} takes no user name`, "Send it as a header: basic authentication is one.", path);
    values.set(standIn, (reference.prefix ?? "") + (await take(reference, what, path)));
  }
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    filled[name] = typeof value === "string" ? value : toHeader(name, value, await take(value, `The header ${name}`));
  return { url: fillPlaces(placed, values), headers: filled, secrets };
}

interface Asked {
  /** For errors: `The header authorization`. */
  what: string;
  path: string | undefined;
  tenantId: number | undefined;
}

async function readSecret(
  url: URL,
  name: string,
  { what, path, tenantId }: Asked,
  { allow, useSecret }: OutboundPolicy,
): Promise<string> {
  if (tenantId === undefined || useSecret === undefined)
    throw refused(`${what} refers to a secret, and nobody's secrets may be used here`, "Send it as text.", path);
  // Anybody on the way can read what is not encrypted, unless the operator vouches for the way.
  if (url.protocol !== "https:" && !allow.includes(url.origin))
    throw refused(
      `${what} refers to a secret, which ${url.protocol} would show`,
      "Call the https address; an operator may allow the origin with OVEN_OUTBOUND_ALLOW.",
      path,
    );
  return useSecret(tenantId, `secret:${name}`, url.host);
}

function toHeader(name: string, { $secret, prefix = "", user }: SecretReference, value: string): string {
  if (user !== undefined) return `Basic ${Buffer.from(`${user}:${value}`).toString("base64")}`;
  if (!/^[\x20-\x7e]*$/.test(value))
    throw refused(
      `The secret ${$secret} has characters that the header ${name} cannot carry`,
      "Make a secret of what the service expects in printable ASCII, such as base64 of user:password.",
    );
  return prefix + value;
}
