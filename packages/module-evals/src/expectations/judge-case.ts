import type { EvalCheck, EvalResult, Expectation } from "@oven/contract/eval";
import { askJudge, type JudgeCall } from "./ask-judge.ts";
import { checkExpectation, isAboutEnd } from "./check-expectation.ts";
import type { SeenRun } from "./seen-run.ts";

export interface CaseVerdict
  extends Pick<EvalResult, "score" | "checks" | "error" | "output" | "tokens" | "costMicros" | "durationMs"> {
  status: "passed" | "failed" | "error";
}

/**
 * What all expectations together say. A run that did not complete is an error, unless an expectation is about that.
 * @param toCall on whose behalf the judge with this index is asked
 * @throws OvenError of expressions and judges
 */
export async function judgeCase(
  expectations: readonly Expectation[],
  run: SeenRun,
  toCall: (index: number) => JudgeCall,
): Promise<CaseVerdict> {
  const { status, tokens, costMicros, durationMs } = run.execution;
  const about = { output: run.output, tokens, costMicros, durationMs: status === "paused" ? null : durationMs };
  if (status !== "completed" && !expectations.some(isAboutEnd))
    return { ...about, status: "error", score: null, checks: [], error: toError(run) };
  const checks: EvalCheck[] = [];
  for (const [index, expectation] of expectations.entries()) {
    const found = await checkExpectation(expectation, run, (judge) => askJudge(judge, run, toCall(index)));
    const { passed, score, seen, reason } = found;
    checks.push({ expectation, passed, score, seen, reason });
    about.tokens += found.tokens ?? 0;
    about.costMicros += found.costMicros ?? 0;
  }
  const score = checks.length === 0 ? 1 : checks.reduce((sum, check) => sum + check.score, 0) / checks.length;
  return { ...about, status: checks.every(({ passed }) => passed) ? "passed" : "failed", score, checks, error: null };
}

function toError({ execution, waiting }: SeenRun): { code: string; message: string } {
  const { status, error } = execution;
  if (error !== null) return { code: error.code, message: error.message };
  if (status === "paused") {
    const where = waiting.map(({ node, title }) => `${node} (${title})`).join(", ");
    return { code: "CASE_PAUSED", message: `The run waits ${where === "" ? "for the outside" : `at ${where}`}` };
  }
  return { code: "CASE_NOT_COMPLETED", message: `The run is ${status}` };
}
