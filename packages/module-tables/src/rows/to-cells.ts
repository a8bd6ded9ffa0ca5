import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { parseValue, ValueProblem } from "@oven/contract/table";
import type { StoredColumn, StoredTable } from "../definitions/stored-column.ts";
import { valueInvalid } from "../values/value-invalid.ts";

/**
 * The cells of a row, from values by names of columns.
 * @param before the cells of the row that is changed: columns that are not named stay. Absent: the row is new, and gets defaults
 * @param path of the values, for errors
 * @throws OvenError TABLE_COLUMN_UNKNOWN, TABLE_VALUE_INVALID
 */
export function toCells(table: StoredTable, values: JsonObject, path: string, before?: JsonObject): JsonObject {
  requireKnown(table, values, path);
  const cells: JsonObject = {};
  for (const column of table.columns) {
    const { key, name } = column;
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    const stays = before !== undefined && given === undefined;
    const cell = stays ? before[key] : toCell(column, given === undefined ? column.default : given, path);
    if (cell !== undefined) cells[key] = cell;
  }
  return cells;
}

/**
 * One value as it is stored; undefined where it is empty.
 * @param path of the values of the row, for errors
 * @throws OvenError TABLE_VALUE_INVALID
 */
export function toCell(column: StoredColumn, value: Json | undefined, path: string): Json | undefined {
  const { name, required } = column;
  try {
    const cell = parseValue(column, value);
    if (cell === undefined && required) throw new ValueProblem("needs a value");
    return cell;
  } catch (error) {
    if (error instanceof ValueProblem) throw valueInvalid(`${path}.${name}`, name, error);
    throw error;
  }
}

function requireKnown({ slug, columns }: StoredTable, values: JsonObject, path: string): void {
  const names = new Set(columns.map(({ name }) => name));
  for (const name of Object.keys(values)) {
    if (names.has(name)) continue;
    throw new OvenError("TABLE_COLUMN_UNKNOWN", `${slug} has no column \`${name}\``, {
      status: 422,
      path: `${path}.${name}`,
      fix: `Columns: ${[...names].join(", ")}.`,
      details: { column: name },
    });
  }
}
