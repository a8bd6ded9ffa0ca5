import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { OvenError } from "@oven/contract";
import type { SealedSecret } from "@oven/contract/system";

const CIPHER = "aes-256-gcm";
/** Some tenths of a second and 128 MiB for each guess: what OWASP recommends for scrypt. */
const COST = { n: 2 ** 17, r: 8, p: 1 };
const SHORTEST = 12;

/**
 * Seals the installation's secret for a backup.
 * @throws OvenError PASSPHRASE_WRONG when the passphrase has fewer than 12 characters
 */
export async function sealSecret(secret: string, passphrase: string): Promise<SealedSecret> {
  if (passphrase.length < SHORTEST)
    throw new OvenError("PASSPHRASE_WRONG", `The passphrase has fewer than ${SHORTEST} characters`, {
      fix: "Write a longer one into the file; several words are easier to remember than signs.",
    });
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, await toKey(passphrase, salt, COST), nonce);
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  const [saltText, nonceText, tag, sealed] = [salt, nonce, cipher.getAuthTag(), text].map((one) =>
    one.toString("base64"),
  ) as [string, string, string, string]; // cast: as many as there are buffers
  return { kdf: "scrypt", ...COST, salt: saltText, nonce: nonceText, tag, text: sealed };
}

/** @throws OvenError PASSPHRASE_WRONG when it was sealed with another passphrase, or changed */
export async function openSecret(sealed: SealedSecret, passphrase: string): Promise<string> {
  const [salt, nonce, tag, text] = [sealed.salt, sealed.nonce, sealed.tag, sealed.text].map((one) =>
    Buffer.from(one, "base64"),
  ) as [Buffer, Buffer, Buffer, Buffer]; // cast: as many as there are texts
  const decipher = createDecipheriv(CIPHER, await toKey(passphrase, salt, sealed), nonce, { authTagLength: 16 });
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch (error) {
    // Node's only sign of a tag that does not fit.
    if (!(error instanceof Error) || !error.message.includes("unable to authenticate")) throw error;
    throw new OvenError("PASSPHRASE_WRONG", "The passphrase does not open the secret in the backup", {
      fix: "Name the file with the passphrase that the backup was made with, or give the secret itself by OVEN_SECRET.",
      cause: error,
    });
  }
}

function toKey(passphrase: string, salt: Buffer, { n, r, p }: Pick<SealedSecret, "n" | "r" | "p">): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const options = { N: n, r, p, maxmem: 256 * n * r };
  scrypt(passphrase.normalize("NFC"), salt, 32, options, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
