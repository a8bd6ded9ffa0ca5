import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { DEFAULT_TENANT, OvenError } from "@oven/contract";
import type { SecretRotation } from "@oven/contract/access";
import type { Database, Queryable } from "@oven/db";
import type { SecretService } from "@oven/module-registry";
import { keyId, type PublicKey } from "@oven/receipts";

/** Keys are of the installation; sealed values are of a tenant. */
const OWNER = 0;

interface KeyRow extends Record<string, unknown> {
  kid: string;
  publicKey: string;
  sealed: string;
  since: Date;
  until: Date | null;
}

export interface SigningKey {
  kid: string;
  publicKey: string;
  privateKey: KeyObject;
  /** When it was looked up, and was the one that signs. */
  at: string;
}

const COLUMNS = `kid, public_key as "publicKey", sealed, since, until`;

/** The installation's Ed25519 keys: one signs, the others have. Private ones are in the clear only while they sign. */
export class ReceiptKeys {
  readonly #db: Database;
  readonly #secrets: Pick<SecretService, "sealed">;

  constructor(db: Database, secrets: Pick<SecretService, "sealed">) {
    this.#db = db.system;
    this.#secrets = secrets;
    secrets.sealed.onRotate((tenantId) => this.#reseal(tenantId));
  }

  /** The key that signs; made when it is first asked for. @throws OvenError RECEIPT_KEY_UNREADABLE 503 */
  async signing(): Promise<SigningKey> {
    const found = (await this.#current()) ?? (await this.#first());
    const text = this.#secrets.sealed.open(OWNER, nameOf(found.kid), found.sealed);
    if (text === undefined)
      throw new OvenError("RECEIPT_KEY_UNREADABLE", "The key that signs receipts was sealed with another OVEN_SECRET", {
        status: 503,
        fix: "Set the secret of that time in OVEN_SECRET_PREVIOUS, or let a new key sign: POST /api/receipt-keys/rotate.",
      });
    const privateKey = createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });
    return { kid: found.kid, publicKey: found.publicKey, privateKey, at: found.at.toISOString() };
  }

  /** Lets a new key sign from now on. Receipts of the one before stay valid. */
  async rotate(): Promise<PublicKey> {
    await this.#db.transaction(async (tx) => {
      await tx.query("update receipt_keys set current = null, until = now() where current");
      await this.#make(tx);
    });
    const [row] = await this.#db.query<KeyRow>(`select ${COLUMNS} from receipt_keys where current`);
    if (row === undefined) throw new Error("a key was made and is not there");
    return toPublicKey(row);
  }

  /** All that ever signed, the newest first. */
  async published(): Promise<PublicKey[]> {
    const rows = await this.#db.query<KeyRow>(`select ${COLUMNS} from receipt_keys order by since desc, kid`);
    return rows.map(toPublicKey);
  }

  async #current(): Promise<(KeyRow & { at: Date }) | undefined> {
    const [row] = await this.#db.query<KeyRow & { at: Date }>(
      `select ${COLUMNS}, now() as at from receipt_keys where current`,
    );
    return row;
  }

  async #first(): Promise<KeyRow & { at: Date }> {
    await this.#make(this.#db);
    const made = await this.#current();
    if (made === undefined) throw new Error("a key was made and is not there");
    return made;
  }

  /** Unless another process has made one. */
  async #make(db: Queryable): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const { x = "" } = publicKey.export({ format: "jwk" });
    const kid = keyId(x);
    const text = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
    await db.query(
      `insert into receipt_keys (kid, public_key, sealed, current, since) values ($1, $2, $3, true, now())
       on conflict (current) do nothing`,
      [kid, x, this.#secrets.sealed.seal(OWNER, nameOf(kid), text)],
    );
  }

  async #reseal(tenantId: number | undefined): Promise<SecretRotation> {
    const result: SecretRotation = { rotated: 0, unreadable: [] };
    // The first tenant looks after what belongs to the installation.
    if (tenantId !== undefined && tenantId !== DEFAULT_TENANT) return result;
    const { sealed } = this.#secrets;
    const rows = await this.#db.query<KeyRow>(`select ${COLUMNS} from receipt_keys`);
    for (const row of rows.filter((one) => !sealed.isPresent(one.sealed))) {
      const name = nameOf(row.kid);
      const text = sealed.open(OWNER, name, row.sealed);
      if (text === undefined) {
        result.unreadable.push(name);
        continue;
      }
      await this.#db.query("update receipt_keys set sealed = $3 where kid = $1 and sealed = $2", [
        row.kid,
        row.sealed,
        sealed.seal(OWNER, name, text),
      ]);
      result.rotated++;
    }
    return result;
  }
}

function nameOf(kid: string): string {
  return `receipt-key/${kid}`;
}

function toPublicKey({ kid, publicKey, since, until }: KeyRow): PublicKey {
  const validity = { from: since.toISOString(), until: until?.toISOString() ?? null };
  return { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid, x: publicKey, ...validity };
}
