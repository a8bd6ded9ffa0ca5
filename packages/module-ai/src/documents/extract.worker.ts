import { parentPort } from "node:worker_threads";
import { isOvenError } from "@oven/contract";
import type { DocumentWarning } from "@oven/contract/ai";
import { decodeText } from "@oven/contract/text";
import { NodeHtmlMarkdown } from "node-html-markdown";
import type { ReadableType } from "./file-kind.ts";
import { readCsv, toMarkdownTable } from "./markdown-table.ts";
import { readDocx } from "./office/read-docx.ts";
import { readPdf } from "./read-pdf.ts";
import type { RecognitionJob } from "./recognition/recognize-pages.ts";

/** What the thread is given, and what it answers; before that `{ progress }` with a `RecognitionProgress`, page by page. */
export interface ExtractJob {
  mediaType: Exclude<ReadableType, "text/plain" | "text/markdown">;
  data: Uint8Array;
  charset: string | undefined;
  /** Of a page: whether it becomes Markdown, or stays as it is written. */
  html: "markdown" | "source";
  /** Of a PDF; undefined: pages without text are left as they are. */
  recognition?: RecognitionJob | undefined;
}
export type ExtractResult =
  | { text: string; warnings: DocumentWarning[]; recognizedPages: number[] }
  | { problem: "encrypted" | "damaged"; message: string };

function readHtml({ data, charset, html: form }: ExtractJob): ExtractResult {
  try {
    const html = decodeText(data, { contentType: "text/html", charset, malformed: "mark", what: "The page" });
    const ignore = ["script", "style", "noscript", "template", "svg"];
    const { malformed: count } = html;
    return {
      text: form === "source" ? html.text : NodeHtmlMarkdown.translate(html.text, { ignore }),
      warnings: count === 0 ? [] : [{ kind: "undecodable", count, charset: html.charset }],
      recognizedPages: [],
    };
  } catch (error) {
    if (!isOvenError(error)) throw error;
    return { problem: "damaged", message: error.message };
  }
}

function readTable({ data, charset }: ExtractJob): ExtractResult {
  return readOr(() => toMarkdownTable(readCsv(decodeText(data, { charset, what: "The table" }).text)));
}

/** What cannot be read is damaged: it came from outside. */
function readOr(read: () => string): ExtractResult {
  try {
    return { text: read(), warnings: [], recognizedPages: [] };
  } catch (error) {
    return { problem: "damaged", message: error instanceof Error ? error.message : String(error) };
  }
}

function readPages({ data, recognition }: ExtractJob): Promise<ExtractResult> {
  if (recognition === undefined) return readPdf(data);
  return readPdf(data, { ...recognition, onProgress: (progress) => parentPort?.postMessage({ progress }) });
}

async function read(job: ExtractJob): Promise<ExtractResult> {
  switch (job.mediaType) {
    case "application/pdf":
      return readPages(job);
    case "text/html":
      return readHtml(job);
    case "text/csv":
      return readTable(job);
    default:
      return readOr(() => readDocx(job.data));
  }
}

parentPort?.on("message", async (job: ExtractJob) => parentPort?.postMessage(await read(job)));
