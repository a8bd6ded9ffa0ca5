import { type Decision, OvenError } from "@oven/contract";
import type { Transaction } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import type { Lease } from "../runtime/insert-execution.ts";
import type { SqlStore, TakenRun } from "../runtime/sql-store.ts";
import { reviews, reviewVotes } from "../tables/shared-run-tables.ts";
import { checkDecision, checkDigest, requireOpen } from "./check-decision.ts";
import { noteInLog } from "./note-in-log.ts";
import type { ReviewRow } from "./review-row.ts";
import { policyOf, type Reviewer, requireReviewer } from "./reviewer.ts";

/** The review as it stands, and nobody else changes it until the transaction ends. */
export async function lockReview(tx: Transaction, id: number): Promise<ReviewRow> {
  const [row] = await tx.orm.select().from(reviews).where(eq(reviews.id, id)).for("update");
  if (row === undefined) throw new Error(`review ${id} is gone`);
  return row;
}

/** The review as it is then, and its run where it was taken for `lease`. */
export interface Voted {
  review: ReviewRow;
  taken: TakenRun | undefined;
}

/**
 * One person's word about a review that the transaction has locked. It is a row, one per person and proposal; the last approval that is needed, or one rejection, decides the
 * review and signals its run in the same transaction. An edit is a new proposal, approved by whoever made it: what others said
 * of the one before counts no more.
 * @param lease for whoever may go on with its run at once
 * @throws OvenError REVIEW_DECIDED 409, REVIEW_NOT_YOURS 403, REVIEW_CHANGED 409, REVIEW_VOTED 409, those of `checkDecision`
 */
export async function castVote(
  tx: Transaction,
  store: SqlStore,
  review: ReviewRow,
  reviewer: Reviewer,
  decision: Decision,
  lease?: Lease,
): Promise<Voted> {
  const { id, tenantId } = review;
  requireOpen(review);
  requireReviewer(review, reviewer);
  const { approvals } = policyOf(review);
  const edits = decision.action === "edit";
  if (approvals > 1) await requireNotVoted(tx, review, reviewer);
  checkDigest(review, decision);
  const data = checkDecision(review, decision);
  const digest = hashJson({ tool: review.tool, proposal: data });
  const round = edits && approvals > 1 ? review.round + 1 : review.round;
  const decidedAt = new Date().toISOString();
  const reason = decision.reason?.trim() || null;
  const { action } = decision;
  const { userId } = reviewer;
  const vote = { tenantId, reviewId: id, round, action, reason, digest };
  const voting = userId === null ? undefined : tx.orm.insert(reviewVotes).values({ ...vote, userId });
  const decide = async (): Promise<Voted> => {
    const decided = { action, data, reason, reviewer: userId, decidedAt, digest };
    const taken = await store.decideWithin(tx, review, decided, lease);
    const after = { status: "decided", action, data, reason, decidedBy: userId, decidedAt: new Date(decidedAt) };
    return { review: { ...review, ...after }, taken };
  };
  if (action === "reject" || approvals <= 1) {
    const [decided] = await Promise.all([decide(), voting]);
    return decided;
  }
  await voting;
  const missing = approvals - (await countApprovals(tx, id, round));
  if (missing <= 0) return decide();
  const proposed = round === review.round ? {} : { proposal: data, digest, round };
  if (round !== review.round) await tx.orm.update(reviews).set(proposed).where(eq(reviews.id, id));
  await noteInLog(tx, store, review, "review.voted", {
    by: reviewer.userId,
    action,
    reason,
    digest,
    missing,
  });
  return { review: { ...review, ...proposed }, taken: undefined };
}

async function requireNotVoted(tx: Transaction, { id, round }: ReviewRow, { userId }: Reviewer): Promise<void> {
  if (userId === null) return;
  const mine = and(eq(reviewVotes.reviewId, id), eq(reviewVotes.round, round), eq(reviewVotes.userId, userId));
  const [vote] = await tx.orm.select({ action: reviewVotes.action }).from(reviewVotes).where(mine);
  if (vote === undefined) return;
  const what = vote.action === "edit" ? "It is your edit that is to be approved" : "You have approved it";
  throw new OvenError("REVIEW_VOTED", `${what}; somebody else must decide now`, {
    status: 409,
    fix: "Wait for the others, or delegate the review to somebody who has not voted.",
    details: { action: vote.action },
  });
}

async function countApprovals(tx: Transaction, id: number, round: number): Promise<number> {
  return tx.orm.$count(reviewVotes, and(eq(reviewVotes.reviewId, id), eq(reviewVotes.round, round)));
}
