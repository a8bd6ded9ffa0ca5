import type { Expectation } from "@oven/contract/eval";
import { compileCel, ExpressionSyntaxError, matchesPattern, schemaProblems } from "@oven/engine";
import { checkAtMost, checkPaused, checkStatus } from "./check-run.ts";
import { checkPattern, checkText } from "./check-text.ts";
import { checkCalled, checkNotCalled, checkOrder } from "./check-tools.ts";
import { checkCel, checkExact, checkExists, checkSchema } from "./check-value.ts";
import { invalidExpectation, parseOutputPath } from "./read-output.ts";
import type { SeenRun } from "./seen-run.ts";
import type { Verdict } from "./verdict.ts";

type Judge = Extract<Expectation, { type: "judge" }>;

/** @throws OvenError of expressions and judges */
export async function checkExpectation(
  expectation: Expectation,
  run: SeenRun,
  ask: (judge: Judge) => Promise<Verdict>,
): Promise<Verdict> {
  switch (expectation.type) {
    case "exact":
      return checkExact(expectation, run);
    case "contains":
    case "notContains":
      return checkText(expectation, run);
    case "matches":
      return checkPattern(expectation, run);
    case "jsonPath":
      return checkExists(expectation, run);
    case "schema":
      return checkSchema(expectation, run);
    case "cel":
      return checkCel(expectation, run);
    case "judge":
      return ask(expectation);
    case "toolCalled":
      return checkCalled(expectation, run);
    case "toolNotCalled":
      return checkNotCalled(expectation, run);
    case "toolOrder":
      return checkOrder(expectation, run);
    case "status":
      return checkStatus(expectation, run);
    case "paused":
      return checkPaused(expectation, run);
    case "atMost":
      return checkAtMost(expectation, run);
  }
}

/** Whether an expectation is about how the run stands, so that a failed or paused one can be what was wanted. */
export function isAboutEnd({ type }: Expectation): boolean {
  return type === "status" || type === "paused";
}

/** @throws OvenError INVALID_EXPECTATION with the place of what cannot be read */
export function requireReadable(expectations: readonly Expectation[]): void {
  for (const [index, expectation] of expectations.entries()) {
    const attempt = (key: string, read: () => unknown) => {
      try {
        read();
      } catch (cause) {
        if (!(cause instanceof ExpressionSyntaxError)) throw cause;
        throw invalidExpectation(`$.expectations[${index}].${key}`, cause);
      }
    };
    if (expectation.type === "schema") {
      const [problem] = schemaProblems(expectation.schema, ["expectations", index, "schema"]);
      if (problem !== undefined)
        throw invalidExpectation(problem.path, new ExpressionSyntaxError("schema", problem.message, problem.fix));
    }
    if ("path" in expectation) attempt("path", () => parseOutputPath(expectation.path));
    if (expectation.type === "matches") attempt("pattern", () => matchesPattern(expectation.pattern, ""));
    if (expectation.type === "cel") attempt("expression", () => compileCel(expectation.expression));
  }
}
