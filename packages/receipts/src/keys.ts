import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import { canonical, type Json, sha256 } from "./canonical.ts";

/** A public Ed25519 key (RFC 8037), with the time in which it signed. */
export const PublicKeySchema = z.strictObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  alg: z.literal("EdDSA"),
  use: z.literal("sig"),
  kid: z.string(),
  x: z.string(),
  /** Since when it signs. */
  from: z.iso.datetime(),
  /** When another one took its place; null: it signs now. */
  until: z.iso.datetime().nullable(),
});
export type PublicKey = z.infer<typeof PublicKeySchema>;

/** The document at `/.well-known/oven-receipts.json`: a key set of RFC 7517. */
export const KeySetSchema = z.strictObject({ issuer: z.string(), keys: z.array(PublicKeySchema) });
export type KeySet = z.infer<typeof KeySetSchema>;

/** A key's id: its thumbprint (RFC 7638), in hex. The id determines the key. */
export function keyId(x: string): string {
  return sha256(canonical({ crv: "Ed25519", kty: "OKP", x }));
}

/** What is signed begins with what it is, so that no signature of another kind can be passed off as one. */
function signedBytes(receipt: Json): Buffer {
  return Buffer.from(`oven-receipt/1\n${canonical(receipt)}`);
}

/** @returns the signature, in base64url */
export function signReceipt(receipt: Json, privateKey: KeyObject): string {
  return sign(null, signedBytes(receipt), privateKey).toString("base64url");
}

export function isSignedBy(receipt: Json, signature: string, x: string): boolean {
  const bytes = Buffer.from(signature, "base64url");
  // One signature has one text: bits that base64url leaves over are none.
  if (bytes.toString("base64url") !== signature || bytes.length !== 64) return false;
  if (Buffer.from(x, "base64url").toString("base64url") !== x || x.length !== 43) return false;
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
  return verify(null, signedBytes(receipt), key, bytes);
}
