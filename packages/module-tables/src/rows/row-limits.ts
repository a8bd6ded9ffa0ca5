import { OvenError } from "@oven/contract";
import type { Transaction } from "@oven/db";
import type { ConfigKey, ConfigService } from "@oven/module-registry";
import { z } from "zod";
import type { StoredTable } from "../definitions/stored-column.ts";

const MODULE = "module-tables";
/** Bytes of one row. */
const MAX_ROW_BYTES = 1_048_576;

const count = (most: number) => z.int().min(0).max(most);

export const tableConfigKeys: ConfigKey[] = [
  {
    key: "TABLE_MAX_ROWS",
    type: "number",
    description: "Rows of one table at most",
    defaultValue: 100_000,
    schema: count(10_000_000),
  },
  {
    key: "TABLE_MAX_BYTES",
    type: "number",
    description: "Bytes of the rows of one table at most",
    defaultValue: 100_000_000,
    schema: count(100_000_000_000),
  },
  {
    key: "TABLES_MAX_ROWS",
    type: "number",
    description: "Rows of all tables together at most",
    defaultValue: 1_000_000,
    schema: count(100_000_000),
  },
  {
    key: "TABLES_MAX_BYTES",
    type: "number",
    description: "Bytes of the rows of all tables together at most",
    defaultValue: 1_000_000_000,
    schema: count(1_000_000_000_000),
  },
];

/** How much a tenant's tables may hold. */
export class RowLimits {
  readonly #config: ConfigService;

  constructor(config: ConfigService) {
    this.#config = config;
  }

  /** @throws OvenError TABLE_FULL 422 */
  requireRow(bytes: number): void {
    if (bytes > MAX_ROW_BYTES) throw full(`A row would have ${bytes} bytes; ${MAX_ROW_BYTES} are allowed`);
  }

  /** @throws OvenError TABLE_FULL 422 */
  async requireRoom(
    tx: Transaction,
    { id, tenantId, slug }: StoredTable,
    size: { rows: number; bytes: number },
  ): Promise<void> {
    const limit = async (key: string) =>
      Number((await this.#config.resolve({ module: MODULE, key, tenantId }, tx)).value);
    const ofTable = [
      ["rows", Number(size.rows), await limit("TABLE_MAX_ROWS")],
      ["bytes", Number(size.bytes), await limit("TABLE_MAX_BYTES")],
    ] as const;
    for (const [what, now, most] of ofTable)
      if (now > most) throw full(`${slug} would have ${now} ${what}; ${most} are allowed`);
    const [others] = await tx.query<{ rows: number; bytes: number }>(
      `select coalesce(sum(rows), 0)::float8 as rows, coalesce(sum(bytes), 0)::float8 as bytes
       from user_table_sizes where tenant_id = $1::int and table_id <> $2::bigint`,
      [tenantId, id],
    );
    const ofAll = [
      ["rows", Number(size.rows) + (others?.rows ?? 0), await limit("TABLES_MAX_ROWS")],
      ["bytes", Number(size.bytes) + (others?.bytes ?? 0), await limit("TABLES_MAX_BYTES")],
    ] as const;
    for (const [what, now, most] of ofAll)
      if (now > most) throw full(`All tables together would have ${now} ${what}; ${most} are allowed`);
  }
}

function full(message: string): OvenError {
  return new OvenError("TABLE_FULL", message, {
    status: 422,
    fix: "Delete rows that are not needed, or raise the limit in the configuration of module-tables.",
  });
}
