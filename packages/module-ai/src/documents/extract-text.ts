import { Worker } from "node:worker_threads";
import { OvenError } from "@oven/contract";
import type { DocumentType } from "@oven/contract/ai";
import { startDeadline } from "@oven/module-registry";
import type { ExtractJob, ExtractResult } from "./extract.worker.ts";

const TIMEOUT_MS = 120_000;
const MEMORY_MB = 1_024;

export interface ExtractedText {
  text: string;
  kind: "markdown" | "plain";
}

/**
 * What a file says, in words. PDF and HTML are read in a thread of their own: a hostile file may take long or much memory,
 * and takes neither from the server.
 * @throws OvenError DOCUMENT_UNREADABLE, DOCUMENT_ENCRYPTED, DOCUMENT_EMPTY
 */
export async function extractText(
  mediaType: DocumentType,
  data: Uint8Array,
  signal: AbortSignal,
): Promise<ExtractedText> {
  const kind = mediaType === "text/plain" || mediaType === "application/pdf" ? "plain" : "markdown";
  const text =
    mediaType === "text/html" || mediaType === "application/pdf"
      ? toText(mediaType, await inThread({ mediaType, data }, signal))
      : decode(data);
  // PostgreSQL keeps no NUL in text.
  const clean = text.replaceAll("\u0000", "").replace(/\r\n?/g, "\n").toWellFormed();
  if (clean.trim() === "") {
    throw new OvenError("DOCUMENT_EMPTY", "The document has no text", {
      status: 422,
      fix: "A scanned PDF has pictures only: run it through text recognition first",
    });
  }
  return { text: clean, kind };
}

function toText(mediaType: string, result: ExtractResult): string {
  if ("text" in result) return result.text;
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

function decode(data: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch (error) {
    throw unreadable("The text is not encoded as UTF-8", "Save it as UTF-8", error);
  }
}

function inThread(job: ExtractJob, signal: AbortSignal): Promise<ExtractResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./extract.worker.ts", import.meta.url), {
      name: "extract",
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const deadline = startDeadline(TIMEOUT_MS);
    const bounded = AbortSignal.any([signal, deadline.signal]);
    const stop = () => {
      void worker.terminate();
      reject(
        signal.aborted ? signal.reason : unreadable("The file takes too long to read", "Split it, or save it anew"),
      );
    };
    bounded.addEventListener("abort", stop, { once: true });
    const settle = (work: () => void) => {
      bounded.removeEventListener("abort", stop);
      deadline.clear();
      work();
    };
    worker.on("message", (result: ExtractResult) => settle(() => resolve(result)));
    worker.on("error", (error) => settle(() => reject(unreadable(`The file cannot be read: ${String(error)}`))));
    worker.on("exit", () => settle(() => reject(unreadable("The file cannot be read: its reader ended early"))));
  });
}

function unreadable(message: string, fix = "Check that the file opens elsewhere", cause?: unknown): OvenError {
  return new OvenError("DOCUMENT_UNREADABLE", message, { status: 422, fix, cause });
}
