import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@oven/contract";
import { type KeyKind, keyKindsOf, type StoredTable } from "../definitions/stored-column.ts";

/** A digest of values, by which a row is found. */
export interface RowKey extends KeyKind {
  key: string;
}

const BYTES = 24;

/** The digest of the values of one column or of a group. */
export function keyOf(values: readonly Json[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest().subarray(0, BYTES).toString("base64url");
}

/** All that a row is found by. A group with an empty column is in none: as in SQL, empty values are not equal. */
export function keysOf(table: Pick<StoredTable, "columns" | "uniqueGroups">, cells: JsonObject): RowKey[] {
  return keyKindsOf(table).flatMap((kind) => {
    const values = kind.columns.map((column) => cells[column]);
    return values.every((value) => value !== undefined) ? [{ ...kind, key: keyOf(values) }] : [];
  });
}
