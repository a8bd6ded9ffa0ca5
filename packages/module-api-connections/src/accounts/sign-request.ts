import { OvenError } from "@oven/contract";
import type { SecretReference } from "@oven/contract/access";
import type { ConnectionRow } from "../connections/connection-row.ts";

/** What a request carries so that the API knows who asks. */
export interface Signature {
  headers: Record<string, string | SecretReference>;
  query: Record<string, string | SecretReference>;
}

const NOTHING: Signature = { headers: {}, query: {} };

/** Whether calls take a token or a value of an account, and not a secret that the connection names. */
export function usesAccount({ auth, accounts }: Pick<ConnectionRow, "auth" | "accounts">): boolean {
  if (auth.type === "none") return false;
  return accounts === "own" || auth.type === "oauth" || auth.type === "client-credentials";
}

/**
 * @param value of the account, where one is used
 * @param allow origins that the operator allows, also without encryption
 * @throws OvenError OUTBOUND_REFUSED where the way is not encrypted
 */
export function signRequest(
  { auth, serverUrl }: Pick<ConnectionRow, "auth" | "serverUrl">,
  value: string | undefined,
  allow: readonly string[],
): Signature {
  if (auth.type === "none") return NOTHING;
  const { origin, protocol } = new URL(serverUrl);
  // Of secrets the way out looks by itself.
  if (value !== undefined && protocol !== "https:" && !allow.includes(origin))
    throw new OvenError("OUTBOUND_REFUSED", `${origin} is not encrypted, and would show a credential`, {
      status: 422,
      fix: "Use the https address; an operator may allow the origin with OVEN_OUTBOUND_ALLOW.",
    });
  switch (auth.type) {
    case "api-key": {
      const shown = place(value, auth.secret, auth.prefix ?? "");
      return auth.in === "header"
        ? { headers: { [auth.name.toLowerCase()]: shown }, query: {} }
        : { headers: {}, query: { [auth.name]: shown } };
    }
    case "basic":
      return toHeader(
        value === undefined
          ? { $secret: requireSecret(auth.secret), user: auth.user }
          : `Basic ${Buffer.from(value).toString("base64")}`,
      );
    case "bearer":
      return toHeader(place(value, auth.secret, "Bearer "));
    case "oauth":
    case "client-credentials":
      return toHeader(`Bearer ${value}`);
  }
}

function toHeader(authorization: string | SecretReference): Signature {
  return { headers: { authorization }, query: {} };
}

function place(value: string | undefined, secret: string | undefined, prefix: string): string | SecretReference {
  if (value !== undefined) return prefix + value;
  return { $secret: requireSecret(secret), ...(prefix === "" ? {} : { prefix }) };
}

function requireSecret(secret: string | undefined): string {
  if (secret !== undefined) return secret;
  throw new OvenError("API_SIGN_IN_NEEDED", "The connection names no secret to sign in with", {
    status: 409,
    fix: "Choose a secret at the connection's page.",
  });
}
