import { isOvenError, type Json, OvenError } from "@oven/contract";
import type { ConditionOutcome } from "@oven/contract/review";
import { compileCel } from "../expressions/cel.ts";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";
import type { Scope } from "../expressions/scope.ts";
import { initialContext } from "./context.ts";

/**
 * What a condition says of one proposal.
 * @param when CEL over `args`; what is no CEL, or answers neither true nor false, is unknown
 */
export function evaluateCondition(when: string, proposal: Json): ConditionOutcome {
  try {
    const value = compileCel(when).evaluate(scopeOf(proposal));
    return value === true ? "holds" : value === false ? "fails" : "unknown";
  } catch (error) {
    if (error instanceof ExpressionSyntaxError || isOvenError(error)) return "unknown";
    throw error;
  }
}

/** Whether a condition asks people about a proposal. What cannot be computed does: the unexpected is approved by more people, never by fewer. */
export function asksAbout(when: string, proposal: Json): boolean {
  return evaluateCondition(when, proposal) !== "fails";
}

/** Whether a text is CEL that can be a condition over `args`. */
export function isCondition(when: string): boolean {
  try {
    compileCel(when);
    return true;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return false;
    throw error;
  }
}

/**
 * @param path of the condition in what was sent
 * @throws OvenError INVALID_CONDITION where it is no CEL
 */
export function requireCondition(when: string, path: string): void {
  if (isCondition(when)) return;
  throw new OvenError("INVALID_CONDITION", `The condition is not CEL: ${when}`, {
    path,
    fix: "Write CEL over `args`, such as `args.amount > 100`.",
  });
}

function scopeOf(proposal: Json): Scope {
  return {
    context: initialContext({}, {}),
    trigger: null,
    execution: {},
    overlay: new Map([["args", proposal]]),
  };
}
