import { isDeepStrictEqual } from "node:util";
import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { PlanTable, TableChange } from "@oven/contract/table";
import { convertValue, ValueProblem } from "@oven/contract/table";
import { keyKindsOf, type StoredColumn, type StoredTable } from "./stored-column.ts";
import { nameOf, toStored } from "./to-table.ts";

/** A table as it is to be, from one as it is. */
export interface ColumnChanges {
  next: StoredTable;
  changes: TableChange[];
  /** Whether rows have to be read for it. */
  readsRows: boolean;
}

/**
 * What is to be done, as far as it shows without a look at the rows.
 * @param ids of the tenant's tables, by slug
 * @throws OvenError INVALID_REQUEST for a key that no column has, REFERENCE_MISSING 422, TABLE_VALUE_INVALID
 */
export function columnChanges(table: StoredTable, wanted: PlanTable, ids: ReadonlyMap<string, number>): ColumnChanges {
  let { nextKey } = table;
  const columns = wanted.columns.map(({ key, ...column }, index) => {
    if (key !== undefined) requireColumn(table, key, index);
    return toStored({ ...column, key: key ?? `c${nextKey++}` }, ids, `$.columns[${index}]`);
  });
  requireEachOnce(columns);
  const keyOf = (name: string) => columns.find((column) => column.name === name)?.key ?? "";
  const next: StoredTable = {
    ...table,
    ...{ name: wanted.name, slug: wanted.slug, description: wanted.description },
    columns,
    uniqueGroups: wanted.unique.map((group) => group.map(keyOf)),
    nextKey,
  };
  const changes = [...removed(table, next), ...changed(table, next), ...groups(table, next)];
  return { next, changes, readsRows: changes.some(({ change }) => change !== "rename") };
}

function requireColumn({ columns, slug }: StoredTable, key: string, index: number): void {
  if (columns.some((column) => column.key === key)) return;
  throw new OvenError("INVALID_REQUEST", `${slug} has no column with the key ${key}`, {
    path: `$.columns[${index}].key`,
    fix: "Leave `key` out of new columns.",
  });
}

function requireEachOnce(columns: readonly StoredColumn[]): void {
  if (new Set(columns.map(({ key }) => key)).size === columns.length) return;
  throw new OvenError("INVALID_REQUEST", "A column stands in it twice", {
    path: "$.columns",
    fix: "Send each key once, and new columns without one.",
  });
}

function entry(change: TableChange["change"], column: string, from: string | null, to: string | null): TableChange {
  return { change, column, from, to, lost: 0, refused: 0, examples: [] };
}

function removed(table: StoredTable, next: StoredTable): TableChange[] {
  return table.columns
    .filter(({ key }) => nameOf(next, key) === undefined)
    .map(({ name, type }) => entry("remove", name, type, null));
}

function changed(table: StoredTable, next: StoredTable): TableChange[] {
  return next.columns.flatMap((column) => {
    const { key, name, type } = column;
    const before = table.columns.find((one) => one.key === key);
    if (before === undefined) return [entry("add", name, null, type), ...constraints(column, undefined)];
    return [
      ...(before.name === name ? [] : [entry("rename", name, before.name, name)]),
      ...(isSameType(before, column) ? [] : [entry("type", name, before.type, type)]),
      ...constraints(column, before),
    ];
  });
}

function constraints(column: StoredColumn, before: StoredColumn | undefined): TableChange[] {
  const { name, required, unique, indexed } = column;
  return [
    ...(required && before?.required !== true ? [entry("required", name, null, null)] : []),
    ...(unique && before?.unique !== true ? [entry("unique", name, null, null)] : []),
    ...(indexed !== (before?.indexed ?? false) || (!unique && before?.unique === true)
      ? [entry("index", name, null, null)]
      : []),
  ];
}

function groups(table: StoredTable, next: StoredTable): TableChange[] {
  const before = new Set(table.uniqueGroups.map((group) => group.join()));
  const now = next.uniqueGroups.filter((group) => !before.has(group.join()));
  const gone = table.uniqueGroups.length + now.length > next.uniqueGroups.length;
  return [
    ...now.map((group) => entry("unique", group.flatMap((key) => nameOf(next, key) ?? []).join(", "), null, null)),
    ...(gone ? [entry("index", "", null, null)] : []),
  ];
}

function isSameType(one: StoredColumn, other: StoredColumn): boolean {
  return (
    one.type === other.type &&
    one.references === other.references &&
    isDeepStrictEqual(one.choices ?? [], other.choices ?? [])
  );
}

/** What becomes of one row, and why a value of it is lost. */
export interface ConvertedRow {
  cells: JsonObject;
  lost: { change: "remove" | "type"; column: string; value: Json; why: string }[];
  missing: string[];
}

/** @param isThere whether a row that a converted reference names is there */
export function convertRow(
  table: StoredTable,
  next: StoredTable,
  before: JsonObject,
  isThere: (column: StoredColumn, id: number) => boolean,
): ConvertedRow {
  const converted: ConvertedRow = { cells: {}, lost: [], missing: [] };
  for (const { key, name } of table.columns) {
    const value = before[key];
    if (value !== undefined && nameOf(next, key) === undefined)
      converted.lost.push({ change: "remove", column: name, value, why: "The column is removed" });
  }
  for (const column of next.columns) {
    const { key, name, required } = column;
    const from = table.columns.find((one) => one.key === key);
    const value = from === undefined ? column.default : before[key];
    const cell = from === undefined || isSameType(from, column) ? value : fitted(column, value, isThere, converted);
    if (cell !== undefined) converted.cells[key] = cell;
    else if (required) converted.missing.push(name);
  }
  return converted;
}

function fitted(
  column: StoredColumn,
  value: Json | undefined,
  isThere: (column: StoredColumn, id: number) => boolean,
  { lost }: ConvertedRow,
): Json | undefined {
  try {
    const cell = convertValue(column, value);
    if (column.type === "reference" && typeof cell === "number" && !isThere(column, cell))
      throw new ValueProblem("names a row that is not there");
    return cell;
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    lost.push({ change: "type", column: column.name, value: value ?? null, why: `${column.name} ${error.message}` });
    return undefined;
  }
}

/** Whether rows are found by something else afterwards. */
export function changesKeys(table: StoredTable, next: StoredTable): boolean {
  return !isDeepStrictEqual(keyKindsOf(table), keyKindsOf(next));
}
