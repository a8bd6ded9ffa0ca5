import { type Json, OvenError } from "@oven/contract";
import type { Decision } from "@oven/contract/review";
import type { Transaction } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { hashJson, type StoredDecision } from "@oven/engine";
import type { SqlStore } from "../runtime/sql-store.ts";
import { reviews, reviewVotes } from "../tables/shared-run-tables.ts";
import { checkDecision, checkDigest, requireOpen } from "./check-decision.ts";
import { noteInLog } from "./note-in-log.ts";
import type { ReviewRow } from "./review-row.ts";
import { policyOf, type Reviewer, requireReviewer } from "./reviewer.ts";

/** Reads the review and locks it until the transaction ends. */
export async function lockReview(tx: Transaction, id: number): Promise<ReviewRow> {
  const [row] = await tx.orm.select().from(reviews).where(eq(reviews.id, id)).for("update");
  if (row === undefined) throw new Error(`review ${id} is gone`);
  return row;
}

/**
 * Stores one person's vote about a review that the transaction has locked: one row per person and proposal. The last approval that is needed, or
 * one rejection, decides the review and signals its run in the same transaction. An edit is a new proposal, approved by its author; votes
 * about the earlier proposal no longer count.
 * @returns the review after the vote
 * @throws OvenError REVIEW_DECIDED 409, REVIEW_NOT_YOURS 403, REVIEW_CHANGED 409, REVIEW_VOTED 409, those of `checkDecision`
 */
export async function castVote(
  tx: Transaction,
  store: SqlStore,
  review: ReviewRow,
  reviewer: Reviewer,
  decision: Decision,
): Promise<ReviewRow> {
  const { id } = review;
  requireMayVote(review, reviewer);
  const { approvals } = policyOf(review);
  if (approvals > 1) await requireNotVoted(tx, review, reviewer);
  const { vote, decided, proposal } = judge(review, reviewer, decision);
  const { round, action, reason, digest } = vote;
  const { userId } = reviewer;
  const voting = userId === null ? undefined : tx.orm.insert(reviewVotes).values({ ...vote, userId });
  const decide = async (): Promise<ReviewRow> => {
    await store.decideWithin(tx, review, decided);
    return asDecided(review, decided);
  };
  if (action === "reject" || approvals <= 1) {
    const [after] = await Promise.all([decide(), voting]);
    return after;
  }
  await voting;
  const missing = approvals - (await countApprovals(tx, id, round));
  if (missing <= 0) return decide();
  const proposed = round === review.round ? {} : { proposal, digest, round };
  if (round !== review.round) await tx.orm.update(reviews).set(proposed).where(eq(reviews.id, id));
  await noteInLog(tx, store, review, "review.voted", {
    by: reviewer.userId,
    action,
    reason,
    digest,
    missing,
  });
  return { ...review, ...proposed };
}

/** @throws OvenError REVIEW_DECIDED 409, REVIEW_NOT_YOURS 403 */
export function requireMayVote(review: ReviewRow, reviewer: Reviewer): void {
  requireOpen(review);
  requireReviewer(review, reviewer);
}

/** A vote, and what it decides where it is the last that is needed. */
export interface Judged {
  vote: {
    tenantId: number;
    reviewId: number;
    round: number;
    action: string;
    reason: string | null;
    digest: string;
  };
  decided: StoredDecision & { digest: string };
  /** What it hands on. */
  proposal: Json;
}

/** @throws OvenError REVIEW_CHANGED 409, those of `checkDecision` */
export function judge(review: ReviewRow, reviewer: Reviewer, decision: Decision): Judged {
  const { approvals } = policyOf(review);
  checkDigest(review, decision);
  const data = checkDecision(review, decision);
  const { action } = decision;
  const digest = hashJson({ tool: review.tool, proposal: data });
  const round = action === "edit" && approvals > 1 ? review.round + 1 : review.round;
  const reason = decision.reason?.trim() || null;
  const decidedAt = new Date().toISOString();
  return {
    vote: { tenantId: review.tenantId, reviewId: review.id, round, action, reason, digest },
    decided: { action, data, reason, reviewer: reviewer.userId, decidedAt, digest },
    proposal: data,
  };
}

/** The review once it is decided so. */
export function asDecided(review: ReviewRow, { action, data, reason, reviewer, decidedAt }: StoredDecision): ReviewRow {
  return { ...review, status: "decided", action, data, reason, decidedBy: reviewer, decidedAt: new Date(decidedAt) };
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
