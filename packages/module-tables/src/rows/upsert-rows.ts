import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { WrittenRows } from "@oven/contract/table";
import type { Transaction } from "@oven/db";
import { type KeyKind, keyKindsOf, type StoredTable } from "../definitions/stored-column.ts";
import { keyOf } from "../values/row-keys.ts";
import { findByKey, type RowWriter, type Update } from "./row-writer.ts";
import { toCell } from "./to-cells.ts";

export type Upserted = WrittenRows & { inserted: number; updated: number };

/** @throws OvenError TABLE_NOT_UNIQUE 422, TABLE_VALUE_INVALID for a row without a value to be found by */
export async function upsertRows(
  { writer, table, tx }: { writer: RowWriter; table: StoredTable; tx: Transaction },
  on: readonly string[],
  rows: readonly JsonObject[],
): Promise<Upserted> {
  const kind = uniqueKind(table, on);
  const pathOf = (index: number) => `$.rows[${index}]`;
  const columns = kind.columns.flatMap((key) => table.columns.find((column) => column.key === key) ?? []);
  const wanted = rows.map((values, index) =>
    columns.map((column): Json => toCell(column, values[column.name], pathOf(index)) ?? null),
  );
  requireValues(table, kind, wanted, pathOf);
  const found = await findByKey(tx, table, kind.kind, wanted);
  const updates: Update[] = [];
  const inserts: { values: JsonObject; index: number }[] = [];
  for (const [index, values] of rows.entries()) {
    const row = found.get(keyOf(wanted[index] ?? []));
    if (row === undefined) inserts.push({ values, index });
    else updates.push({ row, values, path: pathOf(index) });
  }
  const updated = await writer.update(updates);
  const inserted = await writer.insert(
    inserts.map(({ values }) => values),
    (index) => pathOf(inserts[index]?.index ?? index),
  );
  const written = [...updated, ...inserted];
  return { rows: written, count: written.length, inserted: inserted.length, updated: updated.length };
}

function uniqueKind(table: StoredTable, on: readonly string[]): KeyKind {
  const keys = on.map((name) => table.columns.find((column) => column.name === name)?.key);
  const kind = keyKindsOf(table).find(
    ({ columns, isUnique }) =>
      isUnique && columns.length === keys.length && columns.every((column) => keys.includes(column)),
  );
  if (kind !== undefined) return kind;
  throw new OvenError("TABLE_NOT_UNIQUE", `${table.slug} may have several rows with the same ${on.join(", ")}`, {
    status: 422,
    path: "$.on",
    fix: "Name a unique column or all columns of a unique group, or make the column unique.",
  });
}

function requireValues(
  table: StoredTable,
  kind: KeyKind,
  wanted: readonly Json[][],
  pathOf: (index: number) => string,
): void {
  const seen = new Map<string, number>();
  for (const [index, values] of wanted.entries()) {
    const empty = kind.columns.find((_key, at) => values[at] === null);
    const name = table.columns.find(({ key }) => key === empty)?.name;
    if (name !== undefined)
      throw new OvenError("TABLE_VALUE_INVALID", `${name} needs a value: the row is found by it`, {
        status: 422,
        path: `${pathOf(index)}.${name}`,
        fix: "Give each row a value there.",
      });
    const key = keyOf(values);
    const other = seen.get(key);
    if (other !== undefined)
      throw new OvenError("ROW_NOT_UNIQUE", `Rows ${other + 1} and ${index + 1} are the same row`, {
        status: 409,
        path: pathOf(index),
        fix: "Send each row once.",
      });
    seen.set(key, index);
  }
}
