import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { isOvenError, type OvenErrorOptions } from "@oven/contract";
import type { ApiDocument, ApiOperation } from "@oven/contract/api";
import { readDocument } from "./read-document.ts";

/** What the thread is given. */
export interface ReadJob {
  text: string;
  baseUrl: string | undefined;
}

/** What the thread answers, one after the other; it waits for a message after each but the last. */
export type ReadPart =
  | { operations: ApiOperation[] }
  | { document: ApiDocument }
  | { refused: { code: string; message: string; options: Omit<OvenErrorOptions, "cause"> } };

/** Characters of operations in one part: to take in a large document at once would hold the receiver up. */
const PART = 400_000;

async function answer({ text, baseUrl }: ReadJob): Promise<void> {
  const port = parentPort;
  if (port === null) throw new TypeError("This file runs as a thread");
  const post = (part: ReadPart): void => port.postMessage(part);
  try {
    const document = readDocument(text, baseUrl);
    for (const operations of partsOf(document.operations)) {
      const taken = once(port, "message");
      post({ operations });
      await taken;
    }
    post({ document: { ...document, operations: [] } });
  } catch (error) {
    if (!isOvenError(error)) throw error;
    const { code, message, status, fix } = error;
    post({ refused: { code, message, options: { status, ...(fix === undefined ? {} : { fix }) } } });
  }
  port.close();
}

function* partsOf(operations: readonly ApiOperation[]): Generator<ApiOperation[]> {
  let part: ApiOperation[] = [];
  let size = 0;
  for (const operation of operations) {
    part.push(operation);
    size += JSON.stringify(operation).length;
    if (size < PART) continue;
    yield part;
    part = [];
    size = 0;
  }
  if (part.length > 0) yield part;
}

await answer(workerData);
