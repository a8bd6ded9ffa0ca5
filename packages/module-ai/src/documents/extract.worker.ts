import { parentPort, workerData } from "node:worker_threads";
import { isOvenError } from "@oven/contract";
import type { DocumentWarning } from "@oven/contract/ai";
import { decodeText } from "@oven/contract/text";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { readPdf } from "./read-pdf.ts";

/** What the thread is given, and what it answers. */
export interface ExtractJob {
  mediaType: "text/html" | "application/pdf";
  data: Uint8Array;
  charset: string | undefined;
}
export type ExtractResult =
  | { text: string; warnings: DocumentWarning[] }
  | { problem: "encrypted" | "damaged"; message: string };

function readHtml(data: Uint8Array, charset: string | undefined): ExtractResult {
  try {
    const html = decodeText(data, { contentType: "text/html", charset, malformed: "mark", what: "The page" });
    const ignore = ["script", "style", "noscript", "template", "svg"];
    const { malformed: count } = html;
    return {
      text: NodeHtmlMarkdown.translate(html.text, { ignore }),
      warnings: count === 0 ? [] : [{ kind: "undecodable", count, charset: html.charset }],
    };
  } catch (error) {
    if (!isOvenError(error)) throw error;
    return { problem: "damaged", message: error.message };
  }
}

const { mediaType, data, charset } = workerData as ExtractJob; // cast: given by extract-text.ts
parentPort?.postMessage(mediaType === "application/pdf" ? await readPdf(data) : readHtml(data, charset));
