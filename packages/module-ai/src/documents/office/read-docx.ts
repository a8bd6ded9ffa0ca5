import { decodeText } from "@oven/contract/text";
import { toMarkdownTable } from "../markdown-table.ts";
import { attributeOf, scanXml } from "./scan-xml.ts";
import { Archive } from "./unzip.ts";

/** Characters of the text: repeated cells of a hostile file could grow without end. */
const MOST_CHARACTERS = 20_000_000;
const MOST_COLUMNS = 100;
const MAIN_PART = "word/document.xml";
/** What is in these is no text of the document: settings, the older of two forms of a drawing, and where text was before it was moved. */
const SKIPPED = new Set(["pPr", "rPr", "tblPr", "tblGrid", "trPr", "sectPr", "Fallback", "moveFrom"]);

/** A table that is open: its rows, and the cell at work. */
interface Table {
  rows: string[][];
  cell: string[];
  columns: number;
}

/**
 * The text of a Word document (.docx) in its order: a line for each paragraph, and a table as Markdown with `<br>` for line breaks in its
 * cells. Headers, footers, notes and comments are left out, as is what was deleted while changes were tracked.
 * @throws Error for what is no such document, and a text of more than 20 million characters
 */
export function readDocx(data: Uint8Array): string {
  const archive = new Archive(data);
  const part = mainPartOf(archive);
  if (!archive.has(part)) throw new Error("the archive has no document of Word");
  return new Reader().read(textOf(archive.read(part)));
}

/** Most have it at the same place; where it is, the relations of the package say. */
function mainPartOf(archive: Archive): string {
  if (archive.has(MAIN_PART) || !archive.has("_rels/.rels")) return MAIN_PART;
  for (const piece of scanXml(textOf(archive.read("_rels/.rels")))) {
    if (piece.type !== "open" || piece.name !== "Relationship") continue;
    if (attributeOf(piece.attributes, "Type")?.endsWith("/officeDocument") !== true) continue;
    return (attributeOf(piece.attributes, "Target") ?? MAIN_PART).replace(/^\//, "");
  }
  return MAIN_PART;
}

const textOf = (data: Uint8Array): string => decodeText(data, { contentType: "application/xml" }).text;

class Reader {
  readonly #lines: string[] = [];
  readonly #tables: Table[] = [];
  /** Paragraphs that are open: one with a text box has others in it. */
  readonly #paragraphs: string[] = [];
  #characters = 0;

  read(xml: string): string {
    let skipped: { name: string; depth: number } | undefined;
    let isText = false;
    for (const piece of scanXml(xml)) {
      if (skipped !== undefined) {
        if (piece.type === "text" || piece.name !== skipped.name) continue;
        if (piece.type === "open" && !piece.isEmpty) skipped.depth += 1;
        if (piece.type === "close") skipped.depth -= 1;
        if (skipped.depth === 0) skipped = undefined;
        continue;
      }
      if (piece.type === "text") {
        if (isText) this.#write(piece.text);
      } else if (piece.type === "open") {
        if (SKIPPED.has(piece.name)) {
          if (!piece.isEmpty) skipped = { name: piece.name, depth: 1 };
          continue;
        }
        if (piece.name === "t") isText = !piece.isEmpty;
        this.#open(piece.name, piece.attributes);
        if (piece.isEmpty && piece.name !== "t") this.#close(piece.name);
      } else {
        if (piece.name === "t") isText = false;
        this.#close(piece.name);
      }
    }
    return this.#lines.join("\n");
  }

  #write(text: string): void {
    this.#count(text);
    const last = this.#paragraphs.length - 1;
    if (last >= 0) this.#paragraphs[last] += text;
  }

  #count({ length }: string): void {
    this.#characters += length;
    if (this.#characters > MOST_CHARACTERS) throw new Error(`its text has more than ${MOST_CHARACTERS} characters`);
  }

  #open(name: string, attributes: string): void {
    switch (name) {
      case "p":
        this.#paragraphs.push("");
        break;
      case "tab":
        this.#write("\t");
        break;
      case "br":
        // A break of a page or a column is none of a line.
        if (["page", "column"].includes(attributeOf(attributes, "type") ?? "")) break;
        this.#write("\n");
        break;
      case "cr":
        this.#write("\n");
        break;
      case "noBreakHyphen":
        this.#write("-");
        break;
      case "tbl":
        this.#tables.push({ rows: [], cell: [], columns: 1 });
        break;
      case "tr":
        this.#tables.at(-1)?.rows.push([]);
        break;
      case "tc":
        Object.assign(this.#tables.at(-1) ?? {}, { cell: [], columns: 1 });
        break;
      case "gridSpan":
        Object.assign(this.#tables.at(-1) ?? {}, { columns: toColumns(attributeOf(attributes, "val")) });
        break;
    }
  }

  #close(name: string): void {
    const table = this.#tables.at(-1);
    switch (name) {
      case "p": {
        const text = this.#paragraphs.pop();
        if (text !== undefined) (table?.cell ?? this.#lines).push(text);
        break;
      }
      case "tc": {
        const text = table?.cell.join("\n") ?? "";
        // A cell over several columns stands in each of them.
        for (let column = 1; column < (table?.columns ?? 1); column++) this.#count(text);
        table?.rows.at(-1)?.push(...Array<string>(table.columns).fill(text));
        break;
      }
      case "tbl": {
        this.#tables.pop();
        const outer = this.#tables.at(-1);
        const rows = table?.rows ?? [];
        if (!rows.some((row) => row.some((cell) => cell.trim() !== ""))) break;
        if (outer === undefined) this.#lines.push(`${toMarkdownTable(rows)}\n`);
        else outer.cell.push(...rows.map((row) => row.join(" ")));
        break;
      }
    }
  }
}

function toColumns(value: string | undefined): number {
  const columns = Number(value ?? 1);
  return Number.isInteger(columns) ? Math.min(MOST_COLUMNS, Math.max(1, columns)) : 1;
}
