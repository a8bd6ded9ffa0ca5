import { OvenError } from "@oven/contract";
import type { NewTableColumn, Table, TableColumn } from "@oven/contract/table";
import { parseValue, ValueProblem } from "@oven/contract/table";
import type { StoredColumn, StoredTable } from "./stored-column.ts";

/** A table as clients see it. @param slugs of the tenant's tables, by id */
export function toTable(
  table: StoredTable,
  slugs: ReadonlyMap<number, string>,
  size: { rows: number; bytes: number },
): Table {
  const { id, slug, name, description, version, createdAt, updatedAt } = table;
  return {
    ...{ id, slug, name, description, version },
    columns: toColumns(table, slugs),
    unique: table.uniqueGroups.map((group) => group.flatMap((key) => nameOf(table, key) ?? [])),
    rows: Number(size.rows),
    bytes: Number(size.bytes),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function toColumns({ columns }: Pick<StoredTable, "columns">, slugs: ReadonlyMap<number, string>): TableColumn[] {
  return columns.map(({ references, ...column }) => {
    const slug = references === undefined ? undefined : slugs.get(references);
    return { ...column, ...(slug === undefined ? {} : { references: slug }) };
  });
}

export function nameOf({ columns }: Pick<StoredTable, "columns">, key: string): string | undefined {
  return columns.find((column) => column.key === key)?.name;
}

/**
 * A column as it is stored.
 * @param ids of the tenant's tables, by slug
 * @throws OvenError REFERENCE_MISSING 422, TABLE_VALUE_INVALID for its default
 */
export function toStored(
  { references, default: fallback, ...column }: NewTableColumn & { key: string },
  ids: ReadonlyMap<string, number>,
  path: string,
): StoredColumn {
  const target = references === undefined ? undefined : ids.get(references);
  if (references !== undefined && target === undefined)
    throw new OvenError("REFERENCE_MISSING", `There is no table ${references}`, {
      status: 422,
      path: `${path}.references`,
      fix: "Name the slug of a table that is there.",
    });
  const stored: StoredColumn = { ...column, ...(target === undefined ? {} : { references: target }) };
  return fallback === undefined || fallback === null ? stored : withDefault(stored, fallback, path);
}

function withDefault(
  column: StoredColumn,
  fallback: NonNullable<NewTableColumn["default"]>,
  path: string,
): StoredColumn {
  try {
    const value = parseValue(column, fallback);
    return value === undefined ? column : { ...column, default: value };
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    throw new OvenError("TABLE_VALUE_INVALID", `The default of ${column.name} ${error.message}`, {
      status: 422,
      path: `${path}.default`,
      fix: "Give a default that fits the type of the column.",
      cause: error,
    });
  }
}
