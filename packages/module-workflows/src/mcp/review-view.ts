import type { McpReviewView } from "@oven/contract/mcp";
import type { Review } from "@oven/contract/review";

/** An open review for a view: who votes how stays on the page. */
export function toReviewView(review: Review, publicUrl: string): McpReviewView {
  const { id, executionId, executionKind, workflowName, title, proposal, schema, context, tool, risk, digest } = review;
  const { assignees, actions, dueAt, escalation, policy, requestedByName, mayDecide, createdAt } = review;
  return {
    ...{ id, executionId, executionKind, workflowName, title, proposal, schema, context, tool, risk, digest },
    ...{ assignees, actions, dueAt, escalation, policy, requestedByName, mayDecide, createdAt },
    url: `${publicUrl}/reviews/${id}`,
  };
}
