import type { Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import type { AuditTrail } from "@oven/module-registry";

/** Beyond it what is known is asked of the database again. */
const MOST_KNOWN = 50_000;

/** Notices when a key is used from an address it was never used from, and writes that into the audit log. */
export class KeyAddresses {
  readonly #db: Database;
  readonly #audit: AuditTrail;
  readonly #known = new Set<string>();
  readonly #writing = new Set<Promise<void>>();

  constructor(db: Database, audit: AuditTrail) {
    this.#db = db;
    this.#audit = audit;
  }

  /** Does not keep the request waiting: one more statement at most, at the first use from an address. */
  note(principal: Principal, keyId: number, address: string): void {
    const pair = `${keyId} ${address}`;
    if (this.#known.has(pair)) return;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.add(pair);
    const writing = this.#write(principal, keyId, address).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write({ tenantId, userId }: Principal, keyId: number, address: string): Promise<void> {
    try {
      const added = await this.#db.query(
        `insert into api_key_addresses (tenant_id, key_id, address) select $1, id, $3 from api_keys where id = $2
         on conflict do nothing returning key_id`,
        [tenantId, keyId, address],
      );
      if (added.length === 0) return;
      await this.#audit.record({
        tenantId,
        action: "api-key.new-address",
        outcome: "done",
        status: null,
        errorCode: null,
        actorKind: "api-key",
        userId,
        keyId,
        targetType: "api-keys",
        targetId: String(keyId),
        targetVersion: null,
        address,
        userAgent: null,
      });
    } catch (error) {
      console.warn("noting from where an API key was used failed:", error);
    }
  }
}
