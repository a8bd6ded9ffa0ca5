import type { CodeFailure } from "../../job.ts";
import { placeIn, toTraceback, type WrappedCode } from "./wrap-code.ts";

interface Described {
  name: string;
  message: string;
  stack: string;
}

const OUT_OF_MEMORY = "out of memory";
const MEMORY_FAILURE: CodeFailure = { code: "CODE_MEMORY", message: "The code needs more memory than it may have" };

/**
 * What was thrown as a failure with its place.
 * @param describe asks the guest
 * @param isParsed whether the code was running: else it is not JavaScript
 */
export function toThrownFailure(describe: () => string, wrapped: WrappedCode, isParsed: boolean): CodeFailure {
  let described: Described;
  try {
    described = JSON.parse(describe()) as Described; // cast: the guest's own function wrote it
  } catch {
    return { code: "CODE_FAILED", message: "The code has thrown something that cannot be described" };
  }
  const { name, message, stack } = described;
  const place = placeIn(stack, wrapped);
  if (name === "InternalError" && message === OUT_OF_MEMORY) return { ...MEMORY_FAILURE, ...place };
  const traceback = toTraceback(stack, wrapped);
  return {
    code: isParsed ? "CODE_FAILED" : "CODE_SYNTAX",
    message,
    ...(name === "" ? {} : { name }),
    ...place,
    ...(traceback === "" ? {} : { traceback }),
  };
}
