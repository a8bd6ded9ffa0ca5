import { isUtf8 } from "node:buffer";
import { getOwn, OvenError } from "@oven/contract";
import type { DocumentType } from "@oven/contract/ai";
import { isTextType, mediaTypeOf } from "@oven/contract/text";
import { Archive } from "./office/unzip.ts";

export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** What text is taken out of: the kinds of documents, and tables. */
export type ReadableType = DocumentType | "text/csv";

const BY_ENDING: Readonly<Record<string, ReadableType>> = {
  txt: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  html: "text/html",
  htm: "text/html",
  xhtml: "text/html",
  csv: "text/csv",
};
const BY_TYPE: Readonly<Record<string, ReadableType>> = {
  "text/markdown": "text/markdown",
  "text/html": "text/html",
  "application/xhtml+xml": "text/html",
  "text/csv": "text/csv",
};
/** Parts that archives of Office have, with what they are called. */
const OFFICE: readonly [part: string, name: string][] = [
  ["xl/workbook.xml", "a spreadsheet of Excel (.xlsx)"],
  ["ppt/presentation.xml", "a presentation of PowerPoint (.pptx)"],
  ["content.xml", "a document of OpenDocument (.odt, .ods, .odp)"],
];
/** Files of Office from before 2007. */
const OLD_OFFICE = "d0cf11e0a1b11ae1";

interface FileFacts {
  /** Its name, or the end of its address; null: it has none. */
  name: string | null;
  /** What its sender says that it is, with or without parameters; null: nothing. */
  contentType: string | null;
}

/**
 * What a file is: by its first bytes where they say it, else by the ending of its name, else by what its sender says, which is often wrong. What
 * nothing is known of is text if it is UTF-8.
 * @throws OvenError DOCUMENT_TYPE_UNKNOWN, which says what the file is as far as it can be seen
 */
export function kindOfFile(data: Uint8Array, { name, contentType }: FileFacts): ReadableType {
  const start = Buffer.from(data.subarray(0, 1_024)).toString("latin1");
  if (start.includes("%PDF-")) return "application/pdf";
  if (start.startsWith("PK\x03\x04")) return kindOfArchive(data);
  if (Buffer.from(data.subarray(0, 8)).toString("hex") === OLD_OFFICE)
    throw unknown("a file of Office from before 2007 (.doc, .xls, .ppt)");
  if (start.startsWith("{\\rtf")) throw unknown("in Rich Text Format (.rtf)");
  const ending = getOwn(BY_ENDING, name?.split(".").at(-1)?.toLowerCase() ?? "");
  if (ending !== undefined) return ending;
  const type = mediaTypeOf(contentType);
  const declared = getOwn(BY_TYPE, type);
  if (declared !== undefined) return declared;
  if (isTextType(type) || isUtf8(data)) return "text/plain";
  throw unknown(`of the type ${type === "" ? "unknown" : type}`);
}

function kindOfArchive(data: Uint8Array): ReadableType {
  let archive: Archive;
  try {
    archive = new Archive(data);
  } catch (cause) {
    throw unknown("a ZIP archive that is damaged", cause);
  }
  const office = OFFICE.find(([part]) => archive.has(part));
  if (office !== undefined) throw unknown(office[1]);
  if (archive.has("[Content_Types].xml")) return DOCX;
  throw unknown("a ZIP archive");
}

function unknown(what: string, cause?: unknown): OvenError {
  return new OvenError("DOCUMENT_TYPE_UNKNOWN", `The file is ${what}, which no text is taken out of`, {
    status: 415,
    fix: "Text, Markdown, HTML, CSV, JSON, XML, PDF and Word (.docx) can be read: save it as one of these",
    cause,
  });
}
