import { OvenError } from "@oven/contract";
import type { ImportTable } from "@oven/contract/table";
import { decodeText } from "@oven/contract/text";
import Papa from "papaparse";

/** A file as it was read. */
export interface CsvFile {
  charset: string;
  delimiter: string;
  headings: string[];
  /** Below the headings, with the number of the line of the file that each begins in. */
  lines: { line: number; values: string[] }[];
}

const MOST_LINES = 200_000;

/** @throws OvenError TEXT_UNDECODABLE, CSV_INVALID 422 */
export function readCsv({ data, charset, delimiter }: Pick<ImportTable, "data" | "charset" | "delimiter">): CsvFile {
  const decoded = decodeText(Buffer.from(data, "base64"), { charset, what: "The file", path: "$.data" });
  const parsed = Papa.parse<string[]>(decoded.text, {
    delimiter: delimiter ?? "",
    delimitersToGuess: [",", ";", "\t", "|"],
    skipEmptyLines: "greedy",
    preview: MOST_LINES + 2,
  });
  const [broken] = parsed.errors.filter(({ type }) => type === "Quotes");
  if (broken !== undefined)
    throw invalid(
      `Line ${(broken.row ?? 0) + 1}: ${broken.message}`,
      "Close each quoted value, and double quotes within.",
    );
  const [headings, ...lines] = parsed.data;
  if (headings === undefined) throw invalid("The file is empty", "Send a file whose first line has the headings.");
  if (lines.length > MOST_LINES) throw invalid(`The file has more than ${MOST_LINES} lines`, "Send it in parts.");
  return {
    charset: decoded.charset,
    delimiter: parsed.meta.delimiter,
    headings: headings.map((heading) => heading.trim()),
    lines: lines.map((values, index) => ({ line: index + 2, values: values.map(withoutMark) })),
  };
}

/** Exports and spreadsheets mark a text that begins like a formula with an apostrophe. */
function withoutMark(value: string): string {
  return /^'[=+\-@\t\r]/.test(value) ? value.slice(1) : value;
}

function invalid(message: string, fix: string): OvenError {
  return new OvenError("CSV_INVALID", message, { status: 422, path: "$.data", fix });
}
