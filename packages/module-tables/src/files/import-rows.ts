import { isOvenError, type Json, type JsonObject, OvenError, type Principal } from "@oven/contract";
import { convertValue, type ImportTable, MAX_ROWS_WRITTEN, type TableImport, ValueProblem } from "@oven/contract/table";
import type { StoredColumn, StoredTable } from "../definitions/stored-column.ts";
import type { TableReader } from "../definitions/table-reader.ts";
import type { RowService } from "../rows/row-service.ts";
import { upsertRows } from "../rows/upsert-rows.ts";
import { type CsvFile, readCsv } from "./read-csv.ts";

type Problem = TableImport["problems"][number];
type Headings = { heading: string; column: StoredColumn | null }[];

const MOST_PROBLEMS = 100;

interface Line {
  line: number;
  values: JsonObject;
}

/** Ends the transaction of a dry run. */
class DryRun extends Error {}

/** Takes a CSV file into a table: everything in one transaction, or nothing. */
export class RowImport {
  readonly #reader: TableReader;
  readonly #rows: RowService;

  constructor(reader: TableReader, rows: RowService) {
    this.#reader = reader;
    this.#rows = rows;
  }

  /**
   * @returns what became of it; where lines are refused and not to be left out, nothing was written
   * @throws OvenError NOT_FOUND, CSV_INVALID, TEXT_UNDECODABLE, TABLE_COLUMN_UNKNOWN, TABLE_NOT_UNIQUE, TABLE_FULL
   */
  async take(principal: Principal, idOrSlug: string, body: ImportTable): Promise<TableImport> {
    const table = await this.#reader.get(principal, idOrSlug);
    const file = readCsv(body);
    const headings = toHeadings(table, file, body.columns);
    const { lines, problems, refused } = toLines(file, headings);
    const report: TableImport = {
      dryRun: body.dryRun,
      charset: file.charset,
      delimiter: file.delimiter,
      headings: headings.map(({ heading, column }) => ({ heading, column: column?.name ?? null })),
      lines: file.lines.length,
      ...{ inserted: 0, updated: 0, problems, refused },
    };
    if (refused > 0 && !body.skipRefused) return report;
    const written = await this.#write(principal, idOrSlug, lines, body);
    if ("inserted" in written) return { ...report, ...written };
    return { ...report, problems: [...problems, written], refused: refused + 1 };
  }

  async #write(
    principal: Principal,
    idOrSlug: string,
    lines: readonly Line[],
    { on, dryRun }: ImportTable,
  ): Promise<{ inserted: number; updated: number } | Problem> {
    const counts = { inserted: 0, updated: 0 };
    let begun = 0;
    try {
      await this.#rows.write(principal, idOrSlug, {}, async (writer, table, tx) => {
        for (begun = 0; begun < lines.length; begun += MAX_ROWS_WRITTEN) {
          const batch = lines.slice(begun, begun + MAX_ROWS_WRITTEN).map(({ values }) => values);
          if (on === null) counts.inserted += (await writer.insert(batch, (index) => `$.rows[${index}]`)).length;
          else {
            const { inserted, updated } = await upsertRows({ writer, table, tx }, on, batch);
            counts.inserted += inserted;
            counts.updated += updated;
          }
        }
        if (dryRun) throw new DryRun();
        return null;
      });
    } catch (error) {
      if (error instanceof DryRun) return counts;
      const problem = toProblem(error, lines.slice(begun));
      if (problem === undefined) throw error;
      return problem;
    }
    return counts;
  }
}

/** A row that the database refuses, as a line of the file. */
function toProblem(error: unknown, lines: readonly Line[]): Problem | undefined {
  if (!isOvenError(error)) return undefined;
  const [, index, column] = /^\$\.rows\[(\d+)\](?:\.(.+))?$/.exec(error.path ?? "") ?? [];
  const line = index === undefined ? undefined : lines[Number(index)];
  if (line === undefined) return undefined;
  const value = column === undefined ? null : (line.values[column] ?? null);
  return { line: line.line, column: column ?? null, value, message: error.message };
}

/** @throws OvenError TABLE_COLUMN_UNKNOWN for a column that is named and not there, CSV_INVALID for one that is named twice */
function toHeadings(table: StoredTable, { headings }: CsvFile, named: ImportTable["columns"]): Headings {
  const seen = new Set<string>();
  return headings.map((heading) => {
    const column = Object.hasOwn(named, heading) ? byName(table, named[heading] ?? null) : byHeading(table, heading);
    if (column !== null && seen.has(column.name))
      throw new OvenError("CSV_INVALID", `Two headings go into the column ${column.name}`, {
        status: 422,
        path: "$.columns",
        fix: "Choose one heading for each column, and none for the others.",
      });
    if (column !== null) seen.add(column.name);
    return { heading, column };
  });
}

function byName({ slug, columns }: StoredTable, name: string | null): StoredColumn | null {
  if (name === null) return null;
  const column = columns.find((one) => one.name === name);
  if (column !== undefined) return column;
  throw new OvenError("TABLE_COLUMN_UNKNOWN", `${slug} has no column \`${name}\``, { status: 422, path: "$.columns" });
}

function byHeading({ columns }: StoredTable, heading: string): StoredColumn | null {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "");
  return (
    columns.find(({ name }) => name === heading) ??
    columns.find(({ name, title = name }) => [plain(name), plain(title)].includes(plain(heading))) ??
    null
  );
}

function toLines(file: CsvFile, headings: Headings): { lines: Line[]; problems: Problem[]; refused: number } {
  const lines: Line[] = [];
  const problems: Problem[] = [];
  let refused = 0;
  for (const { line, values } of file.lines) {
    const { row, problem } = toRow(headings, values);
    if (problem === undefined) lines.push({ line, values: row });
    else {
      refused += 1;
      if (problems.length < MOST_PROBLEMS) problems.push({ line, ...problem });
    }
  }
  return { lines, problems, refused };
}

function toRow(
  headings: Headings,
  values: readonly string[],
): { row: JsonObject; problem?: Omit<Problem, "line"> | undefined } {
  const row: JsonObject = {};
  if (values.length > headings.length)
    return { row, problem: { column: null, value: null, message: "has more values than there are headings" } };
  for (const [index, { column }] of headings.entries()) {
    const text = values[index] ?? "";
    if (column === null || text === "") continue;
    try {
      const value: Json | undefined = convertValue(column, text);
      if (value !== undefined) row[column.name] = value;
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      return { row, problem: { column: column.name, value: text.slice(0, 200), message: error.message } };
    }
  }
  return { row, problem: missing(headings, row) };
}

function missing(headings: Headings, row: JsonObject): Omit<Problem, "line"> | undefined {
  const column = headings.find(
    (one) => one.column?.required === true && one.column.default === undefined && row[one.column.name] === undefined,
  )?.column;
  return column === null || column === undefined
    ? undefined
    : { column: column.name, value: null, message: "needs a value" };
}
