import { type Json, OvenError, toJsonPath } from "@oven/contract";
import type { CodeFailure, FailureCode } from "./job.ts";

/** Lines of what was printed that an error repeats. */
const LAST_LINES = 20;

const FIXES: Record<FailureCode, string> = {
  CODE_SYNTAX: "Correct the code at this line.",
  CODE_FAILED: "Correct the code at this line, or the inputs that it gets.",
  CODE_TIMEOUT: "Look for a loop that does not end, give it less to do, or raise timeoutMs (at most 60,000).",
  CODE_MEMORY: "Hold less at a time, or raise memoryMb (at most 512).",
  CODE_OUTPUT_TOO_LARGE: "Return and print less.",
  CODE_RESULT_INVALID: "Return data: objects, lists, texts, numbers, booleans, null.",
};

/**
 * The error of code that gave no result.
 * @param logs what it had printed until then; the last lines are in the details
 */
export function toOvenError(failure: CodeFailure, logs: readonly string[]): OvenError {
  const { code, message, name, line, column, traceback, path, fix = FIXES[code] } = failure;
  const details: Record<string, Json> = {
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(name === undefined ? {} : { name }),
    ...(traceback === undefined ? {} : { traceback }),
    ...(logs.length === 0 ? {} : { logs: logs.slice(-LAST_LINES) }),
  };
  return new OvenError(code, toText({ name, message, line }), {
    status: 422,
    fix,
    details,
    ...(path === undefined ? {} : { path: toJsonPath(path, "$.result") }),
  });
}

function toText({ name, message, line }: Pick<CodeFailure, "name" | "message" | "line">): string {
  const what = name === undefined ? message : `${name}: ${message}`;
  return line === undefined ? what : `${what} (line ${line})`;
}
