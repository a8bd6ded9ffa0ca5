import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * A set-up token that the installation's secret vouches for, so that the machine's operator can make one beside a running
 * server: the embedded database takes one process only. Like a stored token it is good for a day, once, and while set-up is open.
 */
export function signSetupToken(secret: string, now: number): string {
  const unsigned = `${Math.floor(now / 1_000) + SECONDS_VALID}.${randomBytes(16).toString("base64url")}`;
  return `${unsigned}.${sign(secret, unsigned)}`;
}

export function isSignedSetupToken(secret: string, token: string, now: number): boolean {
  const [expires = "", nonce = "", signature = ""] = token.split(".");
  const right = Buffer.from(sign(secret, `${expires}.${nonce}`));
  const given = Buffer.from(signature);
  return right.length === given.length && timingSafeEqual(right, given) && Number(expires) * 1_000 > now;
}

const SECONDS_VALID = 24 * 3_600;

function sign(secret: string, text: string): string {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "oven set-up link", 32));
  return createHmac("sha256", key).update(text).digest("base64url");
}
