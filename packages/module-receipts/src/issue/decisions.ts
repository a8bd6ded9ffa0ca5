import { type Principal, withoutBounds } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import type { ReviewService } from "@oven/module-workflows";
import type { Decision } from "@oven/receipts";

const PAGE = 1_000;

/** What people decided in a run and in those that it called, in the order in which they were asked. */
export async function decisionsIn(reviews: ReviewService, principal: Principal, family: number): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (let first = 0, more = true; more; first += PAGE) {
    const { rows, total } = await reviews.list(withoutBounds(principal), {
      sort: { field: "id", order: "ASC" },
      range: { first, last: first + PAGE - 1 },
      filter: { family },
    });
    decisions.push(...rows.filter(({ status }) => status === "decided" || status === "expired").map(toDecision));
    more = first + PAGE < total;
  }
  return decisions;
}

/** Those who voted for what was decided, and who decided. */
function toDecision({ id, executionId, nodeId, digest, action, votes, decidedBy, decidedAt }: Review): Decision {
  const voters = votes.filter((vote) => vote.action === action).map(({ userId }) => userId);
  const by = [...new Set([...voters, ...(decidedBy === null ? [] : [decidedBy])])].sort((one, other) => one - other);
  return { review: id, run: executionId, node: nodeId, shown: digest, action, by, at: decidedAt };
}
