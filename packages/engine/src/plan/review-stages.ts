import { isOvenError, type Json } from "@oven/contract";
import type { ReviewRequest } from "@oven/contract/node";
import type { ReviewPolicy, ReviewStage } from "@oven/contract/review";
import { compileCel } from "../expressions/cel.ts";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";
import type { Scope } from "../expressions/scope.ts";
import { initialContext } from "./context.ts";

/**
 * The stages that must approve a proposal, one after the other: those whose condition holds on it. A condition that cannot be computed,
 * because a value is missing or of another type, holds: what is unexpected is approved by more people, never by fewer.
 */
export function stagesFor({ stages = [] }: Pick<ReviewPolicy, "stages">, proposal: Json): ReviewStage[] {
  const scope = {
    context: initialContext({}, {}),
    trigger: null,
    execution: {},
    overlay: new Map([["args", proposal]]),
  };
  return stages.filter(({ when }) => when === undefined || holds(when, scope));
}

function holds(when: string, scope: Scope): boolean {
  try {
    return compileCel(when).evaluate(scope) !== false;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError || isOvenError(error)) return true;
    throw error;
  }
}

/** Who decides a proposal in one of its stages; past the last one, or without any: those whom the step names itself. */
export function decidersAt(
  policy: ReviewPolicy,
  stage: ReviewStage | undefined,
): { assignees: string[]; approvals: number } {
  if (stage !== undefined) return { assignees: stage.assignees, approvals: stage.approvals };
  return policy.otherwise ?? { assignees: [], approvals: policy.approvals };
}

/** A request as it is opened: for the first stage that its proposal needs. */
export function inFirstStage(request: ReviewRequest): ReviewRequest {
  const { policy, proposal, assignees } = request;
  if (policy?.stages === undefined) return request;
  const staged = { ...policy, otherwise: { assignees, approvals: policy.approvals } };
  const first = decidersAt(staged, stagesFor(staged, proposal)[0]);
  return { ...request, assignees: first.assignees, policy: { ...staged, approvals: first.approvals } };
}
