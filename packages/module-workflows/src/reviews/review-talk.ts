import { OvenError, type Principal } from "@oven/contract";
import type { Delegation, ReviewComment } from "@oven/contract/review";
import type { Database, Queryable } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import type { SqlStore } from "../runtime/sql-store.ts";
import { reviewComments, reviews } from "../tables/shared-run-tables.ts";
import { lockReview } from "./cast-vote.ts";
import { requireOpen } from "./check-decision.ts";
import { unreachable } from "./known-assignees.ts";
import { noteInLog } from "./note-in-log.ts";
import { type ReviewEventDeps, writeReviewEvent } from "./review-event.ts";
import { requireReviewer, reviewerOf } from "./reviewer.ts";

export interface DelegationDeps extends ReviewEventDeps {
  db: Database;
  store: SqlStore;
}

/**
 * Delegates the review to another person instead of the caller. Assigned roles stay: the caller may not remove them.
 * @throws OvenError REVIEW_DECIDED 409, REVIEW_NOT_YOURS 403, ASSIGNEE_UNKNOWN 422
 */
export async function delegateReview(
  deps: DelegationDeps,
  principal: Principal,
  id: number,
  { to, reason }: Delegation,
): Promise<number> {
  const { db, store } = deps;
  const reviewer = await reviewerOf(db, principal);
  const assignee = to.toLowerCase();
  return db.transaction(async (tx) => {
    const review = await lockReview(tx, id);
    requireOpen(review);
    requireReviewer(review, reviewer);
    await requireKnown(tx, principal.tenantId, assignee);
    const isHimself = (name: string) => name.startsWith("user:") && reviewer.names.has(name.toLowerCase());
    const left = review.assignees.filter((name) => !isHimself(name) && name.toLowerCase() !== assignee);
    const assignees = [...left, assignee];
    await tx.orm.update(reviews).set({ assignees }).where(eq(reviews.id, id));
    await noteInLog(tx, store, review, "review.delegated", {
      by: principal.userId,
      to: assignee,
      reason: reason?.trim() || null,
      assignees,
    });
    await writeReviewEvent(tx, deps, principal, review, "delegated", {
      assignees,
      to: assignee,
      by: principal.userId,
    });
    return review.executionId;
  });
}

/** @throws OvenError ASSIGNEE_UNKNOWN 422 */
async function requireKnown(tx: Queryable, tenantId: number, assignee: string): Promise<void> {
  const reason = await unreachable(tx, tenantId, assignee);
  if (reason === undefined) return;
  throw new OvenError("ASSIGNEE_UNKNOWN", reason, {
    status: 422,
    path: "$.to",
    fix: "Name a user as user:<id> or user:<e-mail>, or a role as role:<name>.",
  });
}

/** What was written about a review, oldest first. */
export async function commentsOn(db: Queryable, reviewId: number): Promise<ReviewComment[]> {
  const rows = await db.query<{
    id: number;
    user_id: number | null;
    name: string | null;
    text: string;
    created_at: Date;
  }>(
    `select c.id, c.user_id, u.name, c.text, c.created_at from review_comments c left join users u on u.id = c.user_id
     where c.review_id = $1 order by c.id`,
    [reviewId],
    "review-comments",
  );
  return rows.map(({ id, user_id, name, text, created_at }) => ({
    id,
    reviewId,
    userId: user_id,
    userName: name,
    text,
    createdAt: created_at.toISOString(),
  }));
}

/** @throws OvenError REVIEW_DECIDED 409: a decided review takes no comments */
export async function addComment(
  db: Database,
  store: SqlStore,
  principal: Principal,
  id: number,
  text: string,
): Promise<{ commentId: number; executionId: number }> {
  return db.transaction(async (tx) => {
    const review = await lockReview(tx, id);
    requireOpen(review);
    const values = { tenantId: review.tenantId, reviewId: id, userId: principal.userId, text };
    const [comment] = await tx.orm.insert(reviewComments).values(values).returning({ id: reviewComments.id });
    if (comment === undefined) throw new Error(`the comment on review ${id} was not stored`);
    await noteInLog(tx, store, review, "review.commented", { by: principal.userId, commentId: comment.id });
    return { commentId: comment.id, executionId: review.executionId };
  });
}
