import { createHash, randomBytes } from "node:crypto";
import type { SecretRotation } from "@oven/contract/access";
import type { Database } from "@oven/db";
import { and, eq, isNotNull } from "@oven/db/drizzle";
import type { SealedValues } from "@oven/module-registry";
import { triggers } from "../schema.ts";

const TOKEN_BYTES = 32;

/** As a trigger's row holds it. */
export interface StoredToken {
  tokenHash: string;
  tokenSealed: string;
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** What the addresses of triggers end with: found by its hash, and sealed so that it can be shown again. */
export class TriggerTokens {
  readonly #sealed: SealedValues;
  readonly #db: Database;

  constructor(sealed: SealedValues, db: Database) {
    this.#sealed = sealed;
    this.#db = db;
    sealed.onRotate((tenantId) => this.#reseal(tenantId));
  }

  make(tenantId: number): StoredToken {
    return this.#keep(tenantId, randomBytes(TOKEN_BYTES).toString("base64url"));
  }

  /** null when there is none, or none that this process can open. */
  read({ tenantId, tokenHash, tokenSealed }: { tenantId: number } & Partial<Nullable<StoredToken>>): string | null {
    if (tokenHash == null || tokenSealed == null) return null;
    return this.#sealed.open(tenantId, nameOf(tokenHash), tokenSealed) ?? null;
  }

  #keep(tenantId: number, token: string): StoredToken {
    const tokenHash = hashToken(token);
    return { tokenHash, tokenSealed: this.#sealed.seal(tenantId, nameOf(tokenHash), token) };
  }

  /** A token that was renewed meanwhile stays. */
  async #reseal(tenantId: number | undefined): Promise<SecretRotation> {
    const { orm } = this.#db.system;
    const of = tenantId === undefined ? undefined : eq(triggers.tenantId, tenantId);
    const rows = await orm
      .select()
      .from(triggers)
      .where(and(isNotNull(triggers.tokenSealed), of));
    const result: SecretRotation = { rotated: 0, unreadable: [] };
    for (const row of rows) {
      if (row.tokenSealed === null || this.#sealed.isPresent(row.tokenSealed)) continue;
      const token = this.read(row);
      if (token === null) {
        result.unreadable.push(`the address of the trigger ${row.name}`);
        continue;
      }
      const changed = await orm
        .update(triggers)
        .set(this.#keep(row.tenantId, token))
        .where(and(eq(triggers.id, row.id), eq(triggers.tokenSealed, row.tokenSealed)))
        .returning({ id: triggers.id });
      result.rotated += changed.length;
    }
    return result;
  }
}

type Nullable<Of> = { [Key in keyof Of]: Of[Key] | null };

function nameOf(tokenHash: string): string {
  return `trigger-token/${tokenHash}`;
}
