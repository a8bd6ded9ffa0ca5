import { createHmac, timingSafeEqual } from "node:crypto";
import { OvenError } from "@oven/contract";
import type { SignatureStyle } from "./signature-config.ts";

export interface SignedRequest {
  headers: Headers;
  /** As it came: another spelling of the same JSON has another signature. */
  body: Uint8Array;
}

/**
 * Whether whoever knows the secret sent this, and not long ago.
 * @throws OvenError SIGNATURE_INVALID 401, TIMESTAMP_REFUSED 401
 */
export function checkSignature(
  style: SignatureStyle,
  secret: string,
  { headers, body }: SignedRequest,
  { now, windowSeconds }: { now: Date; windowSeconds: number },
): void {
  const { signatures, timestamp } = style.given(headers);
  const expected = createHmac(style.algorithm, style.toKey?.(secret) ?? secret)
    .update(style.lead(headers, timestamp))
    .update(body)
    .digest();
  // All of them are compared, so that the time tells nothing of which one fits.
  const fitting = signatures.filter((text) => isSame(Buffer.from(text, style.encoding), expected));
  if (fitting.length === 0) {
    throw new OvenError("SIGNATURE_INVALID", "The signature does not fit the body", {
      status: 401,
      fix: "Sign the bytes of the body with the secret of this trigger.",
    });
  }
  // After the signature: what was not signed says nothing about time.
  if (style.isTimed) checkTime(timestamp, now, windowSeconds);
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}

function checkTime(timestamp: string | null, now: Date, windowSeconds: number): void {
  const seconds = timestamp !== null && /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const away = Math.abs(now.getTime() / 1_000 - seconds);
  if (away <= windowSeconds) return;
  throw new OvenError("TIMESTAMP_REFUSED", `The time of this request is not within ${windowSeconds} s of now`, {
    status: 401,
    fix: "Send it when it is signed, and set the sender's clock.",
  });
}
