import { isOvenError, OvenError } from "@oven/contract";
import type { DocumentType, DocumentWarning } from "@oven/contract/ai";
import { decodeText } from "@oven/contract/text";
import { runInThread } from "@oven/module-registry";
import type { ExtractJob, ExtractResult } from "./extract.worker.ts";

const TIMEOUT_MS = 120_000;
const MAX_MEMORY_MB = 1_024;

export interface ExtractedText {
  text: string;
  kind: "markdown" | "plain";
  /** What of the document is not in the text. */
  warnings: DocumentWarning[];
}

/**
 * What a file says, in words. `charset` is what its text was declared to be in. PDF and HTML are read in a thread of their own: a hostile file may take long or much memory,
 * and takes neither from the server.
 * @throws OvenError DOCUMENT_UNREADABLE, DOCUMENT_ENCRYPTED, DOCUMENT_EMPTY
 */
export async function extractText(
  { mediaType, charset }: { mediaType: DocumentType; charset: string | null },
  data: Uint8Array,
  signal: AbortSignal,
): Promise<ExtractedText> {
  const kind = mediaType === "text/plain" || mediaType === "application/pdf" ? "plain" : "markdown";
  const declared = charset ?? undefined;
  const { text, warnings } =
    mediaType === "text/html" || mediaType === "application/pdf"
      ? toText(mediaType, await inThread({ mediaType, data, charset: declared }, signal))
      : { text: decode(data, declared), warnings: [] };
  // PostgreSQL keeps no NUL in text.
  const clean = text.replaceAll("\u0000", "").replace(/\r\n?/g, "\n").toWellFormed();
  if (clean.trim() === "") {
    throw new OvenError("DOCUMENT_EMPTY", "The document has no text", {
      status: 422,
      fix: "A scanned PDF has pictures only: run it through text recognition first",
    });
  }
  return { text: clean, kind, warnings };
}

function toText(mediaType: string, result: ExtractResult): Pick<ExtractedText, "text" | "warnings"> {
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

function inThread(job: ExtractJob, signal: AbortSignal): Promise<ExtractResult> {
  return runInThread<ExtractResult>({
    file: new URL("./extract.worker.ts", import.meta.url),
    name: "extract",
    job,
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
