import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@oven/contract";
import type { TableChange, TablePlan } from "@oven/contract/table";
import type { Queryable } from "@oven/db";
import { bytesOf } from "../rows/row-shape.ts";
import { keysOf } from "../values/row-keys.ts";
import { type ColumnChanges, type ConvertedRow, changesKeys, convertRow } from "./column-changes.ts";
import { keyKindsOf, type StoredColumn, type StoredTable } from "./stored-column.ts";
import { nameOf } from "./to-table.ts";

const BATCH = 1_000;
const MOST_EXAMPLES = 5;

interface Row extends Record<string, unknown> {
  id: number;
  cells: JsonObject;
}

interface Converted extends ConvertedRow {
  id: number;
  isChanged: boolean;
}

/** Rows of a table in order of id, some at a time. */
async function* batchesOf(db: Queryable, table: StoredTable): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const rows = await db.query<Row>(
      "select id, cells from user_table_rows where tenant_id = $1::int and table_id = $2::bigint and id > $3::bigint order by id limit $4::int",
      [table.tenantId, table.id, after, BATCH],
    );
    if (rows.length === 0) return;
    yield rows;
    if (rows.length < BATCH) return;
    after = Number(rows.at(-1)?.id);
  }
}

/** Goes through all rows and counts what is lost, and what stands in the way. Nothing is written. */
export async function planRows(db: Queryable, table: StoredTable, given: ColumnChanges): Promise<TablePlan> {
  const changes = structuredClone(given.changes);
  if (given.readsRows) {
    const seen = new Map<string, number>();
    for await (const rows of batchesOf(db, table)) {
      for (const row of await convertBatch(db, table, given.next, rows)) note(changes, given.next, row, seen);
    }
  }
  const total = (of: (change: TableChange) => number) => changes.reduce((all, change) => all + of(change), 0);
  return { changes, lost: total(({ lost }) => lost), refused: total(({ refused }) => refused) };
}

/** Writes all rows as they are to be, with their keys. The table must be locked. */
export async function rewriteRows(
  tx: Queryable,
  table: StoredTable,
  { next, readsRows }: ColumnChanges,
): Promise<void> {
  if (!readsRows) return;
  const rekey = changesKeys(table, next);
  if (rekey) await tx.query("delete from user_table_keys where table_id = $1::bigint", [table.id]);
  for await (const rows of batchesOf(tx, table)) {
    const converted = await convertBatch(tx, table, next, rows);
    const changed = converted.filter(({ isChanged }) => isChanged);
    await writeCells(tx, table, changed);
    await writeKeys(tx, next, rekey ? converted : changed, !rekey);
  }
  await tx.query(
    `update user_table_sizes set bytes = (select coalesce(sum(bytes), 0) from user_table_rows where table_id = $1::bigint)
     where table_id = $1::bigint`,
    [table.id],
  );
}

async function convertBatch(
  db: Queryable,
  table: StoredTable,
  next: StoredTable,
  rows: readonly Row[],
): Promise<Converted[]> {
  const there = await referencedRows(db, table, next, rows);
  return rows.map(({ id, cells }) => {
    const converted = convertRow(table, next, cells, ({ key }, to) => there.get(key)?.has(to) === true);
    return { ...converted, id: Number(id), isChanged: !isDeepStrictEqual(converted.cells, cells) };
  });
}

/** By keys of columns that refer to rows: which of the named rows are there. */
async function referencedRows(
  db: Queryable,
  table: StoredTable,
  next: StoredTable,
  rows: readonly Row[],
): Promise<Map<string, Set<number>>> {
  const there = new Map<string, Set<number>>();
  for (const column of next.columns) {
    if (!refersElsewhere(table, column)) continue;
    const ids = rows.map(({ cells }) => Number(cells[column.key])).filter((id) => Number.isSafeInteger(id) && id > 0);
    const found = await db.query<{ id: number }>(
      "select id from user_table_rows where tenant_id = $1::int and table_id = $2::bigint and id = any($3::bigint[])",
      [table.tenantId, column.references, ids],
    );
    there.set(column.key, new Set(found.map(({ id }) => Number(id))));
  }
  return there;
}

function refersElsewhere(table: StoredTable, { key, references }: StoredColumn): boolean {
  return references !== undefined && table.columns.find((one) => one.key === key)?.references !== references;
}

function note(changes: TableChange[], next: StoredTable, row: Converted, seen: Map<string, number>): void {
  const find = (change: TableChange["change"], column: string) =>
    changes.find((one) => one.change === change && one.column === column);
  for (const { change, column, value, why } of row.lost) {
    const found = find(change, column);
    if (found === undefined) continue;
    found.lost += 1;
    if (found.examples.length < MOST_EXAMPLES) found.examples.push({ row: row.id, value, why });
  }
  for (const column of row.missing) refuse(find("required", column) ?? find("type", column), row.id, "It has no value");
  for (const { kind, key, isUnique, columns } of keysOf(next, row.cells)) {
    if (!isUnique) continue;
    const other = seen.get(`${kind} ${key}`);
    seen.set(`${kind} ${key}`, row.id);
    if (other === undefined) continue;
    const names = columns.flatMap((one) => nameOf(next, one) ?? []).join(", ");
    refuse(find("unique", names) ?? find("type", names), row.id, `Row ${other} has the same value`);
  }
}

function refuse(change: TableChange | undefined, row: number, why: string): void {
  if (change === undefined) return;
  change.refused += 1;
  if (change.examples.length < MOST_EXAMPLES) change.examples.push({ row, value: null, why });
}

async function writeCells(tx: Queryable, table: StoredTable, rows: readonly Converted[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update user_table_rows r set cells = n.cells::jsonb, bytes = n.bytes, version = r.version + 1, updated_at = now()
     from unnest($2::bigint[], $3::text[], $4::int[]) as n(id, cells, bytes) where r.id = n.id and r.table_id = $1::bigint`,
    [
      table.id,
      rows.map(({ id }) => id),
      rows.map(({ cells }) => JSON.stringify(cells)),
      rows.map(({ cells }) => bytesOf(cells)),
    ],
  );
}

async function writeKeys(
  tx: Queryable,
  next: StoredTable,
  rows: readonly Converted[],
  replace: boolean,
): Promise<void> {
  if (rows.length === 0 || keyKindsOf(next).length === 0) return;
  if (replace)
    await tx.query("delete from user_table_keys where row_id = any($1::bigint[])", [rows.map(({ id }) => id)]);
  const keys = rows.flatMap(({ id, cells }) => keysOf(next, cells).map((key) => ({ ...key, id })));
  await tx.query(
    `insert into user_table_keys (tenant_id, table_id, row_id, kind, key, is_unique)
     select $1::int, $2::bigint, n.row_id, n.kind, n.key, n.is_unique
     from unnest($3::bigint[], $4::text[], $5::text[], $6::boolean[]) as n(row_id, kind, key, is_unique)`,
    [
      next.tenantId,
      next.id,
      keys.map(({ id }) => id),
      keys.map(({ kind }) => kind),
      keys.map(({ key }) => key),
      keys.map(({ isUnique }) => isUnique),
    ],
  );
}
