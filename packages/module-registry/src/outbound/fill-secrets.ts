import type { OutboundPolicy } from "./check-target.ts";
import { refused } from "./check-target.ts";
import type { OutboundInit } from "./safe-fetch.ts";

/**
 * The headers with the values of the secrets they refer to.
 * @throws OvenError OUTBOUND_REFUSED, SECRET_UNKNOWN, SECRET_HOST_REFUSED, SECRET_UNREADABLE
 */
export async function fillSecrets(
  url: URL,
  { headers = {}, tenantId }: Pick<OutboundInit, "headers" | "tenantId">,
  { allow, useSecret }: OutboundPolicy,
): Promise<Record<string, string>> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") {
      filled[name] = value;
      continue;
    }
    if (tenantId === undefined || useSecret === undefined)
      throw refused(`The header ${name} refers to a secret, and nobody's secrets may be used here`, "Send it as text.");
    // Anybody on the way can read what is not encrypted, unless the operator vouches for the way.
    if (url.protocol !== "https:" && !allow.includes(url.origin))
      throw refused(
        `The header ${name} refers to a secret, which ${url.protocol} would show`,
        "Call the https address.",
      );
    const secret = await useSecret(tenantId, `secret:${value.$secret}`, url.host);
    if (!/^[\x20-\x7e]*$/.test(secret))
      throw refused(
        `The secret ${value.$secret} has characters that the header ${name} cannot carry`,
        "Make a secret of what the service expects in printable ASCII, such as base64 of user:password.",
      );
    filled[name] = (value.prefix ?? "") + secret;
  }
  return filled;
}
