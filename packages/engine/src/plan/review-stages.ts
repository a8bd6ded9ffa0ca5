import type { Json } from "@oven/contract";
import type { ReviewRequest } from "@oven/contract/node";
import type { ReviewPolicy, ReviewStage } from "@oven/contract/review";
import { asksAbout } from "./approval-condition.ts";

/** The stages that must approve a proposal, one after the other: those without a condition, or whose condition asks about it. */
export function stagesFor({ stages = [] }: Pick<ReviewPolicy, "stages">, proposal: Json): ReviewStage[] {
  return stages.filter(({ when }) => when === undefined || asksAbout(when, proposal));
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
