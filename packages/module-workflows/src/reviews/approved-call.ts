import { type Json, OvenError } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { NodeResult, NodeSignal } from "@oven/contract/node";
import { type ReleasedToolCall, ReleasedToolCallSchema } from "@oven/contract/review";
import { hashJson } from "@oven/engine";
import { approvalNeeded, type NodeContext, type Release } from "@oven/module-registry";
import { z } from "zod";
import { toCallTitle } from "./call-title.ts";
import { type ReviewerInput, reviewerInput, toDueAt, toPolicy } from "./reviewer-input.ts";

/** What a step that makes one call takes where the call may need approval. */
export const approvalInput = {
  approved: ReleasedToolCallSchema.optional().describe(
    "The call that a review before this step has released: `$.review_output.toolCall`. Checked against that review",
  ),
  ...reviewerInput,
};
export const ApprovalInputSchema = z.strictObject(approvalInput);
export type ApprovalInput = z.output<typeof ApprovalInputSchema>;

/** A call that is made only after a person has approved exactly it. */
export interface CallToApprove {
  tool: Pick<ToolInfo, "id" | "title" | "inputSchema">;
  arguments: Json;
  /** Further context for the reviewer. */
  about: Json;
  reviewers: ReviewerInput;
  /** What the definition hands on as the release of this call. */
  approved?: ReleasedToolCall | undefined;
  /** Whether a call with these arguments needs a release. */
  needsRelease(args: Json): boolean;
}

/** What is called instead: the arguments as they were released, and the review that did, where one had to. */
export interface ReleasedCall {
  arguments: Json;
  release?: Release;
}

type Place = Pick<NodeContext, "node" | "principal" | "services">;
type Call = (released: ReleasedCall) => Promise<NodeResult>;

/**
 * Makes a call that needs no release, or that an earlier review has released, once; with the arguments of that review. Else the step waits for a
 * review of exactly this call, and continues with `callReleased`. What a review hands on that did not have to ask releases nothing.
 * @throws OvenError REVIEW_CHANGED where what is handed on as released is not
 */
export async function callOrAsk(place: Place, asked: CallToApprove, call: Call): Promise<NodeResult> {
  const { approved } = asked;
  const release = approved && (await requireReleased(place, asked.tool.id, approved));
  const args = approved === undefined ? asked.arguments : approved.arguments;
  if (!asked.needsRelease(args)) return call({ arguments: args });
  if (!release || !(await isFirstUse(place, release))) return askForApproval(asked);
  return call({ arguments: args, release });
}

/**
 * After a person's approval: makes the call as it was shown or edited. A run that has no such release of its own, as the fork
 * of one that had it, asks again.
 * @throws OvenError REVIEW_CHANGED, APPROVAL_NEEDED
 */
export async function callReleased(
  place: Place,
  asked: CallToApprove,
  { data, review }: Pick<Extract<NodeSignal, { type: "decision" }>, "data" | "review">,
  call: Call,
): Promise<NodeResult> {
  const tool = asked.tool.id;
  // In a dry run the engine decides by itself.
  if (review === undefined) throw approvalNeeded(tool);
  // The step may lead to another tool since the person was asked.
  if (hashJson({ tool, proposal: data }) !== review.digest) throw notAsApproved(tool);
  const { reviews } = place.services.workflowPlatform;
  const isReleased = await reviews.isReleased(place.node.executionId, { tool, arguments: data, review });
  return isReleased ? call({ arguments: data, release: review }) : askForApproval(asked);
}

/** Whether a decision lets the call through. */
export function isApproval(action: string): boolean {
  return action === "approve" || action === "edit";
}

/**
 * Checks what a definition hands on as released against the review that it names: the definition must not be able to approve.
 * @returns null where that review did not have to ask
 * @throws OvenError REVIEW_CHANGED
 */
export async function requireReleased(
  { node, services }: Pick<Place, "node" | "services">,
  tool: string,
  approved: ReleasedToolCall,
): Promise<Release | null> {
  const { reviews } = services.workflowPlatform;
  const { review } = approved;
  if (review === null) return null;
  if (review !== undefined && approved.tool === tool && (await reviews.isReleased(node.executionId, approved)))
    return review;
  throw notAsApproved(tool);
}

/** One approval is one call: not that of a later visit, nor another one that looks the same. */
async function isFirstUse({ node, principal, services }: Place, { id }: Release): Promise<boolean> {
  const { executionId, nodeId, visit, item } = node;
  const position = { tenantId: principal.tenantId, executionId, nodeId, visit, item: item ?? "" };
  return services.workflowPlatform.reviews.useRelease(id, position);
}

function askForApproval({ tool, arguments: proposal, about, reviewers }: CallToApprove): NodeResult {
  return {
    type: "wait",
    for: "review",
    request: {
      title: toCallTitle(tool, proposal),
      proposal,
      schema: tool.inputSchema,
      context: about,
      tool: tool.id,
      assignees: reviewers.assignees,
      actions: ["approve", "edit", "reject"],
      dueAt: toDueAt(reviewers.dueIn),
      policy: toPolicy(reviewers),
    },
  };
}

/**
 * The error of a call that differs from the approved one.
 * @returns OvenError REVIEW_CHANGED 409
 */
export function notAsApproved(tool: string): OvenError {
  return new OvenError("REVIEW_CHANGED", `This call of ${tool} is not the one that a review has released`, {
    status: 409,
    fix: "Hand on `toolCall` of the review's output as it is: `$.review_output.toolCall`.",
  });
}

/** A step that makes one call fails with this where a person declines it. */
export function callRejected(tool: string, reason: string | null): OvenError {
  return new OvenError("REVIEW_REJECTED", `The call of ${tool} was rejected${reason === null ? "" : `: ${reason}`}`, {
    status: 409,
    details: { reason },
  });
}
