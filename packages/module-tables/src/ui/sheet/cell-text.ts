import type { Json } from "@oven/contract";
import { convertValue, type TableColumn } from "@oven/contract/table";
import Papa from "papaparse";

/** A value as it is edited, copied and shown. */
export function toCellText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** The value of a text that was typed or pasted; null where it is empty. @throws ValueProblem */
export function fromCellText(column: TableColumn, text: string): Json {
  if (text === "" || (column.type !== "text" && text.trim() === "")) return null;
  return convertValue(column, text) ?? null;
}

/** A block of cells as spreadsheets copy it. */
export function toBlock(rows: readonly (readonly string[])[]): string {
  return Papa.unparse(
    rows.map((row) => [...row]),
    { delimiter: "\t", newline: "\n" },
  );
}

/** A block of cells as spreadsheets copy it: tabs between cells, quotes around what has tabs or lines of its own. */
export function fromBlock(text: string): string[][] {
  const trimmed = text.replace(/\r?\n$/, "");
  if (trimmed === "") return [];
  return Papa.parse<string[]>(trimmed, { delimiter: "\t" }).data;
}
