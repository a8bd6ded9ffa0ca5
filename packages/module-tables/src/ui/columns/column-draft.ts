import type { ColumnType, NewTableColumn, PlanTable, Table, TableColumn } from "@oven/contract/table";
import { fromCellText, toCellText } from "../sheet/cell-text.ts";

/** A column as it is edited. */
export interface ColumnDraft {
  /** Tells drafts apart; no part of what is sent. */
  id: number;
  /** Of a column that is there. */
  key: string | undefined;
  name: string;
  title: string;
  type: ColumnType;
  description: string;
  required: boolean;
  unique: boolean;
  indexed: boolean;
  fallback: string;
  /** One a line. */
  choices: string;
  references: string;
}

/** What is edited of a table. */
export interface TableDraft {
  name: string;
  slug: string;
  description: string;
  columns: ColumnDraft[];
}

export function toDraft(table: Table): TableDraft {
  return {
    name: table.name,
    slug: table.slug,
    description: table.description ?? "",
    columns: table.columns.map((column, id) => ({
      ...{ id, key: column.key, name: column.name, title: column.title ?? "", type: column.type },
      ...{ required: column.required, unique: column.unique, indexed: column.indexed },
      description: column.description ?? "",
      fallback: toCellText(column.default),
      choices: (column.choices ?? []).join("\n"),
      references: column.references ?? "",
    })),
  };
}

export function newColumn(columns: readonly ColumnDraft[]): ColumnDraft {
  return {
    id: columns.reduce((most, { id }) => Math.max(most, id), -1) + 1,
    key: undefined,
    ...{ name: "", title: "", type: "text", description: "", required: false, unique: false, indexed: false },
    ...{ fallback: "", choices: "", references: "" },
  };
}

/** What is sent. @throws ValueProblem for a default that does not fit */
export function fromDraft(table: Table, draft: TableDraft): PlanTable {
  const names = new Set(draft.columns.map(({ name }) => name.trim()));
  const renamed = new Map(
    draft.columns.map(({ key, name }) => [table.columns.find((one) => one.key === key)?.name, name.trim()]),
  );
  return {
    name: draft.name.trim(),
    slug: draft.slug.trim(),
    description: draft.description.trim() === "" ? null : draft.description,
    version: table.version,
    columns: draft.columns.map((column) => ({
      ...(column.key === undefined ? {} : { key: column.key }),
      ...toColumn(column),
    })),
    // A group goes with a column of it.
    unique: table.unique
      .map((group) => group.map((name) => renamed.get(name) ?? ""))
      .filter((group) => group.every((name) => names.has(name))),
  };
}

function toColumn(draft: ColumnDraft): NewTableColumn {
  const { type, required, unique, indexed, title, description, fallback, references } = draft;
  const choices = draft.choices
    .split("\n")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const column: NewTableColumn = {
    ...{ name: draft.name.trim(), type, required },
    unique: unique && type !== "json",
    indexed: indexed && type !== "json",
    ...(title.trim() === "" ? {} : { title: title.trim() }),
    ...(description.trim() === "" ? {} : { description: description.trim() }),
    ...(type === "choice" ? { choices } : {}),
    ...(type === "reference" ? { references } : {}),
  };
  const value = fromCellText({ ...column, key: "c1" } satisfies TableColumn, fallback);
  return value === null ? column : { ...column, default: value };
}
