import { type JsonObject, OvenError } from "@oven/contract";
import type { TableRow } from "@oven/contract/table";
import type { Transaction } from "@oven/db";
import type { StoredTable } from "../definitions/stored-column.ts";
import { keyOf, keysOf, type RowKey } from "../values/row-keys.ts";
import { requireReferenced, requireUnreferenced } from "./references.ts";
import type { RowLimits } from "./row-limits.ts";
import { bytesOf, ROW_COLUMNS, type StoredRow, toRow, toValues } from "./row-shape.ts";
import { toCells } from "./to-cells.ts";

/** What was done to one row. */
export interface RowChange {
  change: "inserted" | "updated" | "deleted";
  row: TableRow;
  /** Values before, of a row that was updated. */
  before?: JsonObject;
}

/** A change of one row that is locked. */
export interface Update {
  row: StoredRow;
  values: JsonObject;
  /** Of the values, for errors. */
  path: string;
}

interface WriterDeps {
  tx: Transaction;
  /** Locked against changes of its columns. */
  table: StoredTable;
  limits: RowLimits;
}

/** Writes rows of one table within one transaction, with their keys and the size of the table. */
export class RowWriter {
  readonly #deps: WriterDeps;
  readonly changes: RowChange[] = [];

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /**
   * @param paths of the values of each row, for errors
   * @throws OvenError TABLE_COLUMN_UNKNOWN, TABLE_VALUE_INVALID, ROW_NOT_UNIQUE, REFERENCE_MISSING, TABLE_FULL
   */
  async insert(rows: readonly JsonObject[], pathOf: (index: number) => string): Promise<TableRow[]> {
    const { table } = this.#deps;
    const made = rows.map((values, index) => toCells(table, values, pathOf(index)));
    return this.insertCells(made, pathOf);
  }

  async insertCells(made: readonly JsonObject[], pathOf: (index: number) => string): Promise<TableRow[]> {
    if (made.length === 0) return [];
    const { tx, table } = this.#deps;
    const ids = (
      await tx.query<{ id: number }>(
        "select nextval(pg_get_serial_sequence('user_table_rows', 'id')) as id from generate_series(1, $1::int)",
        [made.length],
      )
    ).map(({ id }) => Number(id));
    await requireReferenced(tx, table, made, pathOf);
    const sizes = made.map(bytesOf);
    for (const size of sizes) this.#deps.limits.requireRow(size);
    const stored = await tx.query<StoredRow>(
      `insert into user_table_rows as r (id, tenant_id, table_id, cells, bytes) overriding system value
       select n.id, $1::int, $2::bigint, n.cells::jsonb, n.bytes from unnest($3::bigint[], $4::text[], $5::int[]) as n(id, cells, bytes)
       returning ${ROW_COLUMNS}`,
      [table.tenantId, table.id, ids, made.map((cells) => JSON.stringify(cells)), sizes],
    );
    await this.#writeKeys(ids, made, pathOf);
    await this.#grow(made.length, sum(sizes));
    const byId = new Map(stored.map((row) => [Number(row.id), row]));
    const rows = ids.flatMap((id) => byId.get(id) ?? []).map((row) => toRow(table, row));
    for (const row of rows) this.changes.push({ change: "inserted", row });
    return rows;
  }

  /** @throws OvenError as `insert` */
  async update(updates: readonly Update[]): Promise<TableRow[]> {
    if (updates.length === 0) return [];
    const { tx, table, limits } = this.#deps;
    const made = updates.map(({ row, values, path }) => toCells(table, values, path, row.cells));
    const pathOf = (index: number) => updates[index]?.path ?? "$";
    await requireReferenced(tx, table, made, pathOf);
    const ids = updates.map(({ row }) => Number(row.id));
    const sizes = made.map(bytesOf);
    for (const size of sizes) limits.requireRow(size);
    const stored = await tx.query<StoredRow>(
      `update user_table_rows r set cells = n.cells::jsonb, bytes = n.bytes, version = r.version + 1, updated_at = now()
       from unnest($2::bigint[], $3::text[], $4::int[]) as n(id, cells, bytes)
       where r.id = n.id and r.table_id = $1::bigint returning ${ROW_COLUMNS}`,
      [table.id, ids, made.map((cells) => JSON.stringify(cells)), sizes],
    );
    await tx.query("delete from user_table_keys where row_id = any($1::bigint[])", [ids]);
    await this.#writeKeys(ids, made, pathOf);
    await this.#grow(0, sum(sizes) - sum(updates.map(({ row }) => row.bytes)));
    const byId = new Map(stored.map((row) => [Number(row.id), row]));
    return updates.flatMap(({ row: { id, cells } }) => {
      const now = byId.get(Number(id));
      if (now === undefined) return [];
      const row = toRow(table, now);
      this.changes.push({ change: "updated", row, before: toValues(table, cells) });
      return [row];
    });
  }

  /** Rows that are locked. @throws OvenError ROW_REFERENCED */
  async delete(rows: readonly StoredRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { tx, table } = this.#deps;
    const ids = rows.map(({ id }) => Number(id));
    await requireUnreferenced(tx, table, ids);
    await tx.query("delete from user_table_rows where table_id = $1::bigint and id = any($2::bigint[])", [
      table.id,
      ids,
    ]);
    await this.#grow(-rows.length, -sum(rows.map(({ bytes }) => bytes)));
    for (const row of rows) this.changes.push({ change: "deleted", row: toRow(table, row) });
  }

  async #writeKeys(
    ids: readonly number[],
    made: readonly JsonObject[],
    pathOf: (index: number) => string,
  ): Promise<void> {
    const { tx, table } = this.#deps;
    const keys = made.flatMap((cells, index) =>
      keysOf(table, cells).map((key) => ({ ...key, index, id: ids[index] ?? 0 })),
    );
    if (keys.length === 0) return;
    const unique = keys.filter(({ isUnique }) => isUnique);
    const seen = new Map<string, number>();
    for (const { kind, key, index, columns } of unique) {
      const other = seen.get(`${kind} ${key}`);
      if (other !== undefined) throw notUnique(table, columns, pathOf(index), null);
      seen.set(`${kind} ${key}`, index);
    }
    const [taken] = await findTaken(tx, table, unique);
    if (taken !== undefined) {
      const clash = unique.find(({ kind, key }) => kind === taken.kind && key === taken.key);
      if (clash !== undefined) throw notUnique(table, clash.columns, pathOf(clash.index), Number(taken.row_id));
    }
    try {
      await tx.query(
        `insert into user_table_keys (tenant_id, table_id, row_id, kind, key, is_unique)
         select $1::int, $2::bigint, n.row_id, n.kind, n.key, n.is_unique
         from unnest($3::bigint[], $4::text[], $5::text[], $6::boolean[]) as n(row_id, kind, key, is_unique)`,
        [
          table.tenantId,
          table.id,
          keys.map(({ id }) => id),
          keys.map(({ kind }) => kind),
          keys.map(({ key }) => key),
          keys.map(({ isUnique }) => isUnique),
        ],
      );
    } catch (error) {
      // Another transaction has written the same value since it was looked for.
      if (isUniqueViolation(error)) throw notUnique(table, [], pathOf(0), null, error);
      throw error;
    }
  }

  async #grow(rows: number, bytes: number): Promise<void> {
    const { tx, table, limits } = this.#deps;
    const [size] = await tx.query<{ rows: number; bytes: number }>(
      `update user_table_sizes set rows = rows + $2::bigint, bytes = bytes + $3::bigint
       where table_id = $1::bigint returning rows, bytes`,
      [table.id, rows, bytes],
    );
    if (size !== undefined && (rows > 0 || bytes > 0)) await limits.requireRoom(tx, table, size);
  }
}

interface Taken extends Record<string, unknown> {
  kind: string;
  key: string;
  row_id: number;
}

async function findTaken(tx: Transaction, table: StoredTable, unique: readonly RowKey[]): Promise<Taken[]> {
  if (unique.length === 0) return [];
  return tx.query<Taken>(
    `select k.kind, k.key, k.row_id from unnest($2::text[], $3::text[]) as n(kind, key)
     join user_table_keys k on k.table_id = $1::bigint and k.kind = n.kind and k.key = n.key and k.is_unique limit 1`,
    [table.id, unique.map(({ kind }) => kind), unique.map(({ key }) => key)],
  );
}

function notUnique(
  table: StoredTable,
  keys: readonly string[],
  path: string,
  row: number | null,
  cause?: unknown,
): OvenError {
  const names = table.columns.filter(({ key }) => keys.includes(key)).map(({ name }) => name);
  const [only] = names;
  const what = names.length === 0 ? "A value" : names.join(", ");
  return new OvenError("ROW_NOT_UNIQUE", `${what}: another row of ${table.slug} has the same`, {
    status: 409,
    path: names.length === 1 ? `${path}.${only}` : path,
    fix: row === null ? "Give each row values of its own." : `Choose another value, or change row ${row}.`,
    details: { columns: names, row },
    ...(cause === undefined ? {} : { cause }),
  });
}

function isUniqueViolation(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause)
    if ("code" in current && current.code === "23505") return true;
  return false;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** The rows that have these values in unique columns, locked. */
export async function findByKey(
  tx: Transaction,
  table: StoredTable,
  kind: string,
  values: readonly JsonObject[string][][],
): Promise<Map<string, StoredRow>> {
  const keys = values.map(keyOf);
  const rows = await tx.query<StoredRow & { key: string }>(
    `select ${ROW_COLUMNS}, k.key from user_table_keys k join user_table_rows r on r.id = k.row_id
     where k.table_id = $1::bigint and k.kind = $2 and k.key = any($3::text[]) and k.is_unique
     order by r.id for update of r`,
    [table.id, kind, keys],
  );
  return new Map(rows.map((row) => [row.key, row]));
}
