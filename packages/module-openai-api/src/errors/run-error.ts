import type { AskedRun } from "@oven/module-chat";
import type { Answer } from "../answers/run-answer.ts";
import type { OpenAiError } from "./openai-errors.ts";

/** The error of a run without an answer; undefined: it has one, or may get one. */
export function runError({ id }: AskedRun, { status, error }: Answer): OpenAiError | undefined {
  if (status !== "failed" && status !== "cancelled") return undefined;
  const { code, message } = error ?? { code: status, message: `It was ${status}` };
  return {
    error: {
      message: `Run ${id} has no answer: ${message}`,
      type: "run_failed",
      param: null,
      code: code.toLowerCase(),
    },
  };
}
