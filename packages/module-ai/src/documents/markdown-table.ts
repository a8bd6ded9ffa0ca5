/** Rows as a table in Markdown, the first as its head. A line break in a cell is `<br>`. */
export function toMarkdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  if (head.length === 0) return "";
  const toRow = (cells: readonly string[]) => `| ${cells.map(inCell).join(" | ")} |`;
  return [toRow(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(toRow)].join("\n");
}

const inCell = (text: string): string => text.replaceAll(/\r\n?|\n/g, "<br>");

/**
 * The rows of comma-separated values (RFC 4180): a field in quotes may have commas, line breaks and doubled quotes. Empty lines are left
 * out.
 */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [field, end] = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
    row.push(field);
    at = end + 1;
    if (text[end] === ",") {
      if (at >= text.length) row.push("");
      continue;
    }
    if (text[end] === "\r" && text[at] === "\n") at += 1;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** @returns the field, and where it ends: at a comma, a line break or the end */
function plainField(text: string, from: number): [string, number] {
  let end = from;
  while (end < text.length && text[end] !== "," && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return [text.slice(from, end), end];
}

/** What stands between the closing quote and the comma belongs to the field, as spreadsheets read it. */
function quotedField(text: string, from: number): [string, number] {
  let field = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return [field + text.slice(at), text.length];
    field += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const [rest, end] = plainField(text, quote + 1);
      return [field + rest, end];
    }
    field += '"';
    at = quote + 2;
  }
}
