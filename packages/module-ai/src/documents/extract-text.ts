import { isOvenError, OvenError } from "@oven/contract";
import type { DocumentWarning } from "@oven/contract/ai";
import { decodeText } from "@oven/contract/text";
import { runInThread } from "@oven/module-registry";
import type { ExtractJob, ExtractResult } from "./extract.worker.ts";
import { DOCX, type ReadableType } from "./file-kind.ts";
import type { RecognitionJob, RecognitionProgress } from "./recognition/recognize-pages.ts";

/** Of a file, and with text recognition of each page: drawing it and recognizing it. Less than the lease of a document. */
const TIMEOUT_MS = 150_000;
const MAX_MEMORY_MB = 1_024;
/** Whose text has no headings of Markdown. */
const PLAIN = new Set<ReadableType>(["text/plain", "application/pdf", DOCX]);

export interface ExtractedText {
  text: string;
  kind: "markdown" | "plain";
  /** What of the document is not in the text. */
  warnings: DocumentWarning[];
  /** Pages whose text was recognized, counted from 1. */
  recognizedPages: number[];
}

/** What is read, and how. */
export interface ExtractSource {
  mediaType: ReadableType;
  /** What its text was declared to be in; null: what the file itself says, else UTF-8. */
  charset: string | null;
  /** Of a page: `markdown` unless it is handed on as it is written. */
  html?: "markdown" | "source";
}

/** Text recognition of pages that have no text. */
export interface ExtractRecognition extends RecognitionJob {
  /** Called after each page; when it fails, the work ends with its error. */
  onProgress(progress: RecognitionProgress): Promise<void>;
}

/**
 * What a file says, in words. All but plain text is read in a thread of its own: a hostile file may take long or much memory, and takes
 * neither from the server.
 * @param recognition of a PDF; undefined: pages without text are left as they are
 * @throws OvenError DOCUMENT_UNREADABLE, DOCUMENT_ENCRYPTED, DOCUMENT_EMPTY
 */
export async function extractText(
  { mediaType, charset, html = "markdown" }: ExtractSource,
  data: Uint8Array,
  signal: AbortSignal,
  recognition?: ExtractRecognition,
): Promise<ExtractedText> {
  const kind = PLAIN.has(mediaType) ? "plain" : "markdown";
  const declared = charset ?? undefined;
  const { text, warnings, recognizedPages } =
    mediaType === "text/plain" || mediaType === "text/markdown"
      ? { text: decode(data, declared), warnings: [], recognizedPages: [] }
      : toText(mediaType, await inThread({ mediaType, data, charset: declared, html }, signal, recognition));
  // PostgreSQL keeps no NUL in text.
  const clean = text.replaceAll("\u0000", "").replace(/\r\n?/g, "\n").toWellFormed();
  if (clean.trim() === "") {
    throw new OvenError("DOCUMENT_EMPTY", "The document has no text", {
      status: 422,
      fix:
        recognition === undefined
          ? "A scanned PDF has pictures only: have it read with text recognition (`recognizeText`)"
          : "Text recognition found none in its pages: check what they show, and the languages",
    });
  }
  return { text: clean, kind, warnings, recognizedPages };
}

function toText(mediaType: ReadableType, result: ExtractResult): Omit<ExtractedText, "kind"> {
  if ("text" in result) return result;
  if (result.problem === "encrypted") {
    throw new OvenError("DOCUMENT_ENCRYPTED", "The PDF is encrypted, and opens with a password only", {
      status: 422,
      fix: "Save it without a password and add it again",
    });
  }
  throw unreadable(
    `The file is no ${mediaType} that can be read: ${result.message}`,
    "Check that the file opens elsewhere",
  );
}

function decode(data: Uint8Array, charset: string | undefined): string {
  try {
    return decodeText(data, { charset }).text;
  } catch (error) {
    if (!isOvenError(error)) throw error;
    throw unreadable(error.message, "Save it as UTF-8, or add it with the `charset` that it is in", error);
  }
}

function inThread(
  job: ExtractJob,
  signal: AbortSignal,
  recognition: ExtractRecognition | undefined,
): Promise<ExtractResult> {
  const { onProgress, ...what } = recognition ?? {};
  return runInThread<ExtractResult, RecognitionProgress>({
    file: new URL("./extract.worker.ts", import.meta.url),
    name: "extract",
    job: recognition === undefined ? job : { ...job, recognition: what },
    ...(onProgress === undefined ? {} : { onProgress }),
    maxMemoryMb: MAX_MEMORY_MB,
    timeoutMs: TIMEOUT_MS,
    signal,
    toError: (reason, cause) =>
      reason === "slow"
        ? unreadable("The file takes too long to read", "Split it, or save it anew")
        : unreadable(`The file cannot be read: ${cause === undefined ? "its reader ended early" : String(cause)}`),
  });
}

function unreadable(message: string, fix = "Check that the file opens elsewhere", cause?: unknown): OvenError {
  return new OvenError("DOCUMENT_UNREADABLE", message, { status: 422, fix, cause });
}
