import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

const SECONDS_VALID = 60;

/**
 * A token for one backup, which the installation's secret vouches for: a backup has the rows of all tenants, so no role of a tenant may
 * take one. Good for a minute.
 * @param now milliseconds
 */
export function signBackupToken(secret: string, now: number): string {
  const unsigned = `${Math.floor(now / 1_000) + SECONDS_VALID}.${randomBytes(16).toString("base64url")}`;
  return `${unsigned}.${sign(secret, unsigned)}`;
}

/** Whether this secret signed it, and its minute is not over. */
export function isBackupToken(secret: string, token: string, now: number): boolean {
  const [expires = "", nonce = "", signature = ""] = token.split(".");
  const right = Buffer.from(sign(secret, `${expires}.${nonce}`));
  const given = Buffer.from(signature);
  return right.length === given.length && timingSafeEqual(right, given) && Number(expires) * 1_000 > now;
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "oven backup", 32));
  return createHmac("sha256", key).update(text).digest("base64url");
}
