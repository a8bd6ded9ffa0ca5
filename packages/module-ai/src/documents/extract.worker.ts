import { parentPort } from "node:worker_threads";
import { isOvenError } from "@oven/contract";
import type { DocumentWarning } from "@oven/contract/ai";
import { decodeText } from "@oven/contract/text";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { readPdf } from "./read-pdf.ts";
import type { RecognitionJob } from "./recognition/recognize-pages.ts";

/** What the thread is given, and what it answers; before that `{ progress }` with a `RecognitionProgress`, page by page. */
export interface ExtractJob {
  mediaType: "text/html" | "application/pdf";
  data: Uint8Array;
  charset: string | undefined;
  /** Of a PDF; undefined: pages without text are left as they are. */
  recognition?: RecognitionJob | undefined;
}
export type ExtractResult =
  | { text: string; warnings: DocumentWarning[]; recognizedPages: number[] }
  | { problem: "encrypted" | "damaged"; message: string };

function readHtml(data: Uint8Array, charset: string | undefined): ExtractResult {
  try {
    const html = decodeText(data, { contentType: "text/html", charset, malformed: "mark", what: "The page" });
    const ignore = ["script", "style", "noscript", "template", "svg"];
    const { malformed: count } = html;
    return {
      text: NodeHtmlMarkdown.translate(html.text, { ignore }),
      warnings: count === 0 ? [] : [{ kind: "undecodable", count, charset: html.charset }],
      recognizedPages: [],
    };
  } catch (error) {
    if (!isOvenError(error)) throw error;
    return { problem: "damaged", message: error.message };
  }
}

function readPages({ data, recognition }: ExtractJob): Promise<ExtractResult> {
  if (recognition === undefined) return readPdf(data);
  return readPdf(data, { ...recognition, onProgress: (progress) => parentPort?.postMessage({ progress }) });
}

parentPort?.on("message", async (job: ExtractJob) =>
  parentPort?.postMessage(job.mediaType === "application/pdf" ? await readPages(job) : readHtml(job.data, job.charset)),
);
