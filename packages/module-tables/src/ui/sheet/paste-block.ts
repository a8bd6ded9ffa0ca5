import type { JsonObject } from "@oven/contract";
import { type TableColumn, type TableRow, ValueProblem } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { fromCellText } from "./cell-text.ts";
import type { RowEdit } from "./use-edits.ts";
import type { SheetRows } from "./use-rows.ts";
import type { Block, Place } from "./use-selection.ts";

/** What a pasted block comes to: rows that change, and rows that are new below the last one. */
export interface Pasted {
  edits: RowEdit[];
  added: JsonObject[];
}

/**
 * A block of texts from a cell on. What stands right of the last column is left out.
 * @throws Error naming the cell whose text does not fit
 */
export function pasteBlock(
  texts: readonly (readonly string[])[],
  columns: readonly TableColumn[],
  at: Place,
  rows: Pick<SheetRows, "at" | "total">,
): Pasted {
  const pasted: Pasted = { edits: [], added: [] };
  for (const [down, line] of texts.entries()) {
    const values = toValues(line, columns.slice(at.column), at.row + down);
    const index = at.row + down;
    if (index >= (rows.total ?? 0)) pasted.added.push(values);
    else pasted.edits.push({ row: readRow(rows, index), values });
  }
  return pasted;
}

function toValues(line: readonly string[], columns: readonly TableColumn[], row: number): JsonObject {
  const values: JsonObject = {};
  for (const [index, text] of line.entries()) {
    const column = columns[index];
    if (column === undefined) continue;
    try {
      values[column.name] = fromCellText(column, text);
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      throw new Error(
        t("Row {{row}}, {{column}}: “{{text}}” {{problem}}", {
          row: row + 1,
          column: column.title ?? column.name,
          text: text.slice(0, 60),
          problem: error.message,
        }),
      );
    }
  }
  return values;
}

/** @throws Error while it is being read */
export function readRow(rows: Pick<SheetRows, "at">, index: number): TableRow {
  const row = rows.at(index);
  if (row !== undefined) return row;
  throw new Error(t("Row {{row}} is still being read. Scroll to it, then try again.", { row: index + 1 }));
}

/** Empties all cells of a block. @throws Error while rows of it are being read */
export function clearBlock(
  { top, left, bottom, right }: Block,
  columns: readonly TableColumn[],
  rows: Pick<SheetRows, "at">,
): RowEdit[] {
  const names = columns.slice(left, right + 1).map(({ name }) => name);
  const edits: RowEdit[] = [];
  for (let index = top; index <= bottom; index++)
    edits.push({ row: readRow(rows, index), values: Object.fromEntries(names.map((name) => [name, null])) });
  return edits;
}
