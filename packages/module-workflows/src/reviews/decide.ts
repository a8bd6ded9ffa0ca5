import type { Principal } from "@oven/contract";
import type { Decision } from "@oven/contract/review";
import type { Database } from "@oven/db";
import type { SqlStore } from "../runtime/sql-store.ts";
import { castVote } from "./cast-vote.ts";
import { findAndLockReview } from "./find-review.ts";
import { type ReviewEventDeps, writeReviewEvent } from "./review-event.ts";
import type { ReviewRow } from "./review-row.ts";
import { type Reviewer, reviewerOf } from "./reviewer.ts";

export interface DecideDeps extends ReviewEventDeps {
  db: Database;
  store: SqlStore;
  wake(executionId: number): Promise<void>;
}

/** A review after a decision or vote, with the person who made it. */
export interface Decided {
  review: ReviewRow;
  reviewer: Reviewer;
}

/**
 * Decides a review, or stores one of the votes that it needs, while the review is locked. Then wakes its run.
 * @throws OvenError NOT_FOUND and those of `castVote`
 */
export async function decideReview(
  deps: DecideDeps,
  principal: Principal,
  id: number,
  decision: Decision,
): Promise<Decided> {
  const { db, store, events, wake } = deps;
  const decided = await db.transaction(async (tx) => {
    const [review, reviewer] = await Promise.all([findAndLockReview(tx, principal, id), reviewerOf(tx, principal)]);
    const after = await castVote(tx, store, review, reviewer, decision);
    const asksOthers = after.status === "open" && after.assignees !== review.assignees;
    if (asksOthers) {
      const { assignees, stage } = after;
      await writeReviewEvent(tx, deps, principal, after, "advanced", { assignees, stage });
    }
    return { review: after, reviewer, asksOthers };
  });
  if (decided.asksOthers) events.wake();
  await wake(decided.review.executionId);
  return decided;
}
