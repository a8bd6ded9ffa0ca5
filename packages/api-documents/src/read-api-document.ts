import { Worker } from "node:worker_threads";
import { OvenError } from "@oven/contract";
import type { ApiDocument, ApiOperation } from "@oven/contract/api";
import { unreadable } from "./parse/unreadable.ts";
import type { ReadJob, ReadPart } from "./read.worker.ts";

const MAX_BYTES = 33_554_432;
const TIMEOUT_MS = 10_000;
const MAX_MEMORY_MB = 1_024;
const SMALLER = "Give a document of the part of the API that you need.";

/** What bounds the reading of a document. */
export interface ReadOptions {
  /** Where the document was found: relative addresses in it begin there. */
  baseUrl?: string;
  /** Of the text as UTF-8. Default 32 MiB. */
  maxBytes?: number;
  /** How long the reading may take, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** One document is read at a time: two large ones would take the memory of both. */
let last: Promise<void> = Promise.resolve();

/**
 * Reads a document of an API (OpenAPI 3.0 and 3.1, Swagger 2 as JSON or YAML; GraphQL as the answer of an introspection query or as SDL) in
 * a thread of its own: whatever it holds, the caller's event loop goes on. Nothing is fetched; references to other documents are left open.
 * @throws OvenError API_DOCUMENT_UNREADABLE, the reason of `signal` when that is aborted
 */
export async function readApiDocument(text: string, options: ReadOptions = {}): Promise<ApiDocument> {
  const { baseUrl, maxBytes = MAX_BYTES, signal } = options;
  signal?.throwIfAborted();
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw unreadable(`The document has ${bytes} bytes, and may have ${maxBytes}`, SMALLER);
  const before = last;
  const reading = Promise.withResolvers<void>();
  last = reading.promise;
  try {
    await untilAborted(before, signal);
    return await readInThread({ text, baseUrl }, options);
  } finally {
    void before.then(reading.resolve);
  }
}

/** Waits for a promise, or throws the reason of `signal` as soon as that is aborted. */
async function untilAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function readInThread(job: ReadJob, { timeoutMs = TIMEOUT_MS, signal }: ReadOptions): Promise<ApiDocument> {
  const worker = new Worker(new URL("./read.worker.ts", import.meta.url), {
    name: "api-document",
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  const deadline = AbortSignal.timeout(timeoutMs);
  const stopped = AbortSignal.any(signal === undefined ? [deadline] : [deadline, signal]);
  try {
    return await collect(worker, stopped);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (deadline.aborted)
      throw unreadable(`The document takes longer than ${timeoutMs / 1_000} s to read`, SMALLER, error);
    throw error;
  } finally {
    await worker.terminate();
  }
}

function collect(worker: Worker, stopped: AbortSignal): Promise<ApiDocument> {
  return new Promise((resolve, reject) => {
    const operations: ApiOperation[] = [];
    if (stopped.aborted) reject(stopped.reason);
    stopped.addEventListener("abort", () => reject(stopped.reason), { once: true });
    worker.on("message", (part: ReadPart) => {
      if ("operations" in part) {
        operations.push(...part.operations);
        // The next part comes in a later turn of the event loop.
        setImmediate(() => worker.postMessage("next"));
      } else if ("document" in part) resolve({ ...part.document, operations });
      else reject(new OvenError(part.refused.code, part.refused.message, part.refused.options));
    });
    worker.on("error", (error) =>
      reject(unreadable("The document cannot be read: its reader ended early", SMALLER, error)),
    );
    worker.on("exit", () => reject(unreadable("The document cannot be read: its reader ended early", SMALLER)));
  });
}
