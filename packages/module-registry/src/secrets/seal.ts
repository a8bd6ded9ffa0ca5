import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT = "oven";

/** A key of AES-256, and a name for it that tells nothing of it. */
export interface SealingKey {
  id: string;
  key: Buffer;
}

/** The key that a root secret gives. Both are derived apart from each other: HKDF-SHA-256, RFC 5869. */
export function toSealingKey(rootSecret: string): SealingKey {
  const derive = (info: string, bytes: number) => Buffer.from(hkdfSync("sha256", rootSecret, SALT, info, bytes));
  return { id: derive("secrets/key-id", 8).toString("hex"), key: derive("secrets/aes-256-gcm", 32) };
}

/** A name for the installation's secret that reveals nothing of it: the id of its sealing key. */
export function secretFingerprint(rootSecret: string): string {
  return toSealingKey(rootSecret).id;
}

/** `context` says whose value it is: sealed text that is put into another row does not open there. */
export function seal({ key }: SealingKey, value: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64");
}

/** Undefined when it was changed, or sealed by another key or for another row. */
export function open({ key }: SealingKey, sealed: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64");
  if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch (error) {
    // Node's only sign of a tag that does not fit.
    if (error instanceof Error && error.message.includes("unable to authenticate")) return undefined;
    throw error;
  }
}
