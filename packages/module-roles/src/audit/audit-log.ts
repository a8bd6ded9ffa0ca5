import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Database, NewRow } from "@oven/db";
import type { AuditRecord, AuditTrail } from "@oven/module-registry";

interface Waiting {
  record: AuditRecord;
  written: () => void;
}

/** Columns in the order of `toValues`, with their types for unnest. */
const COLUMNS = [
  ["tenant_id", "int"],
  ["action", "text"],
  ["outcome", "text"],
  ["status", "int"],
  ["error_code", "text"],
  ["actor_kind", "text"],
  ["user_id", "bigint"],
  ["key_id", "bigint"],
  ["target_type", "text"],
  ["target_id", "text"],
  ["target_version", "int"],
  ["argument_digest", "text"],
  ["address", "text"],
  ["user_agent", "text"],
] as const;
const INSERT = `insert into audit_log (${COLUMNS.map(([name]) => name).join(", ")})
  select * from unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ")})`;
const MOST_AT_ONCE = 500;
const INT_MAX = 2_147_483_647;

/**
 * Writes the audit log. What several requests did at once goes in one statement; each waits until its row is there. A row
 * that cannot be written is shouted into the server's log: what it tells of has happened already.
 */
export class AuditLog implements AuditTrail {
  readonly #db: Database;
  readonly #digestKey: KeyObject;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(db: Database, secret: string) {
    this.#db = db;
    // As a key object: a buffer is made one each time, which takes longer than the digest.
    this.#digestKey = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "oven audit argument digest", 32)));
  }

  record(record: AuditRecord): Promise<void> {
    return new Promise((written) => {
      this.#waiting.push({ record, written });
      this.#writing ??= this.#writeAll();
    });
  }

  toRow(record: AuditRecord): NewRow {
    const values = this.#toValues(record);
    const columns = COLUMNS.map(([name, type], index) => ({ name, type, value: values[index] }));
    return { table: "audit_log", columns };
  }

  async stop(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE);
      await this.#write(batch.map(({ record }) => record));
      for (const { written } of batch) written();
    }
    this.#writing = undefined;
  }

  async #write(records: readonly AuditRecord[]): Promise<void> {
    try {
      const rows = records.map((record) => this.#toValues(record));
      await this.#db.query(
        INSERT,
        COLUMNS.map((_column, index) => rows.map((row) => row[index] ?? null)),
        "audit-insert",
      );
    } catch (error) {
      // One row that the database does not take must not cost the others theirs.
      if (records.length > 1) for (const record of records) await this.#write([record]);
      else console.error("an audit row could not be written:", records[0]?.action, records[0]?.outcome, error);
    }
  }

  #toValues(record: AuditRecord): (string | number | null)[] {
    const { targetVersion } = record;
    return [
      record.tenantId,
      clean(record.action),
      record.outcome,
      record.status,
      clean(record.errorCode),
      record.actorKind,
      record.userId,
      record.keyId,
      clean(record.targetType),
      clean(record.targetId),
      targetVersion === null || targetVersion > INT_MAX ? null : targetVersion,
      record.arguments === undefined ? null : this.#digest(record.arguments),
      clean(record.address),
      clean(record.userAgent),
    ];
  }

  /** Keyed: a plain hash of a short password could be guessed. */
  #digest(value: unknown): string {
    return createHmac("sha256", this.#digestKey).update(JSON.stringify(value)).digest("hex");
  }
}

/** PostgreSQL keeps neither NUL nor half characters. */
function clean(text: string | null): string | null {
  return text === null ? null : text.toWellFormed().replaceAll("\0", "\ufffd");
}
