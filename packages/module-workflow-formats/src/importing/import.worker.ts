import { parentPort } from "node:worker_threads";
import { isOvenError, type OvenErrorOptions } from "@oven/contract";
import { type ForeignDraft, readForeign } from "./read-foreign.ts";

/** What the thread answers: errors do not keep their class on the way. */
export type ImportResult =
  | { draft: ForeignDraft }
  | { refused: { code: string; message: string; options: Omit<OvenErrorOptions, "cause"> } };

async function read(text: string): Promise<ImportResult> {
  try {
    return { draft: await readForeign(text) };
  } catch (error) {
    if (!isOvenError(error)) throw error;
    const { code, message, status, fix, path, details, retryable } = error;
    const options = {
      ...{ status, retryable },
      ...(fix === undefined ? {} : { fix }),
      ...(path === undefined ? {} : { path }),
      ...(details === undefined ? {} : { details }),
    };
    return { refused: { code, message, options } };
  }
}

parentPort?.on("message", async (text: string) => parentPort?.postMessage(await read(text)));
