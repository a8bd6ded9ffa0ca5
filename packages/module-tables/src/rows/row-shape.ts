import type { Json, JsonObject } from "@oven/contract";
import type { TableRow } from "@oven/contract/table";
import type { StoredTable } from "../definitions/stored-column.ts";

/** A row as it is stored. */
export interface StoredRow extends Record<string, unknown> {
  id: number;
  version: number;
  cells: JsonObject;
  bytes: number;
  created_at: Date;
  updated_at: Date;
}

export const ROW_COLUMNS = "r.id, r.version, r.cells, r.bytes, r.created_at, r.updated_at";

/** Values by names of columns; an empty column is null. */
export function toValues({ columns }: Pick<StoredTable, "columns">, cells: JsonObject): JsonObject {
  return Object.fromEntries(columns.map(({ key, name }): [string, Json] => [name, cells[key] ?? null]));
}

export function toRow(table: StoredTable, row: StoredRow): TableRow {
  const { id, version, cells, created_at: createdAt, updated_at: updatedAt } = row;
  return {
    id,
    version,
    values: toValues(table, cells),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Length as JSON text in UTF-8. */
export function bytesOf(cells: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(cells));
}
