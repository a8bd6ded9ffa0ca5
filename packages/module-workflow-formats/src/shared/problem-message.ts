import { isOvenError } from "@oven/contract";

/** What work says is wrong; undefined: nothing. Errors that are not ours are thrown on. */
export async function problemMessage(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!isOvenError(error)) throw error;
    return error.message;
  }
}
