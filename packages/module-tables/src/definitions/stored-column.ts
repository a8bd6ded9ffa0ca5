import type { TableColumn } from "@oven/contract/table";

/** A column as it is stored: another table is named by its id, which stays when its slug changes. */
export type StoredColumn = Omit<TableColumn, "references"> & { references?: number | undefined };

/** A table as rows are read and written by it. */
export interface StoredTable {
  id: number;
  tenantId: number;
  slug: string;
  name: string;
  description: string | null;
  columns: StoredColumn[];
  uniqueGroups: string[][];
  nextKey: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What rows are found by: one column or a group, with whether it is unique. */
export interface KeyKind {
  /** Keys of the columns, joined by commas. */
  kind: string;
  columns: string[];
  isUnique: boolean;
}

/** Columns that reference rows are found by, too: a row that is referred to cannot be deleted. */
export function keyKindsOf({ columns, uniqueGroups }: Pick<StoredTable, "columns" | "uniqueGroups">): KeyKind[] {
  const single = columns
    .filter(({ unique, indexed, references }) => unique || indexed || references !== undefined)
    .map(({ key, unique }) => ({ kind: key, columns: [key], isUnique: unique }));
  const groups = uniqueGroups.map((group) => ({ kind: group.join(","), columns: group, isUnique: true }));
  return [...single, ...groups];
}
