import { type Json, OvenError } from "@oven/contract";
import type { Decision } from "@oven/contract/review";
import type { Transaction } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { decidersAt, hashJson, type StoredDecision, stagesFor } from "@oven/engine";
import type { SqlStore } from "../runtime/sql-store.ts";
import { reviews, reviewVotes } from "../tables/shared-run-tables.ts";
import { checkDecision, checkDigest, requireOpen } from "./check-decision.ts";
import { noteInLog } from "./note-in-log.ts";
import type { ReviewRow } from "./review-row.ts";
import { needsVotes, policyOf, type Reviewer, refusalOf, requireReviewer } from "./reviewer.ts";

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
  const votes = needsVotes(policyOf(review));
  if (votes) await requireNotVoted(tx, review, reviewer);
  const { vote, decided, proposal } = judge(review, reviewer, decision);
  const { round, action, reason, digest } = vote;
  // An edit is another proposal, for which other stages may have to approve.
  const asked = round === review.round ? review : inStage(review, { proposal, digest, round }, 0);
  const { userId } = reviewer;
  const counts = action === "reject" || refusalOf(asked, reviewer) === undefined;
  const values = { ...vote, stage: asked.stage, userId: userId ?? 0 };
  const voting = userId === null || !counts ? undefined : tx.orm.insert(reviewVotes).values(values);
  const decide = async (): Promise<ReviewRow> => {
    await store.decideWithin(tx, review, decided);
    return asDecided(review, decided);
  };
  if (action === "reject" || !votes) {
    const [after] = await Promise.all([decide(), voting]);
    return after;
  }
  await voting;
  let after = asked;
  let missing = policyOf(after).approvals - (await countApprovals(tx, asked));
  if (missing <= 0) {
    if (asked.stage + 1 >= stagesFor(policyOf(asked), proposal).length) return decide();
    after = inStage(asked, {}, asked.stage + 1);
    missing = policyOf(after).approvals;
  }
  if (after !== review) {
    const { proposal: shown, digest: of, round: at, stage, assignees, policy } = after;
    const changed = { proposal: shown, digest: of, round: at, stage, assignees, policy };
    await tx.orm.update(reviews).set(changed).where(eq(reviews.id, id));
  }
  await noteInLog(tx, store, review, "review.voted", {
    by: reviewer.userId,
    action,
    reason,
    digest,
    missing,
  });
  return after;
}

/** The review as it asks those of a stage of its proposal. */
function inStage(review: ReviewRow, proposed: Partial<ReviewRow>, stage: number): ReviewRow {
  const next = { ...review, ...proposed, stage };
  const policy = policyOf(review);
  if (policy.stages === undefined) return next;
  const { assignees, approvals } = decidersAt(policy, stagesFor(policy, next.proposal)[stage]);
  return { ...next, assignees, policy: { ...policy, approvals } };
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
  const votes = needsVotes(policyOf(review));
  checkDigest(review, decision);
  const data = checkDecision(review, decision);
  const { action } = decision;
  const digest = hashJson({ tool: review.tool, proposal: data });
  const round = action === "edit" && votes ? review.round + 1 : review.round;
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

async function countApprovals(tx: Transaction, { id, round, stage }: ReviewRow): Promise<number> {
  const ofStage = and(eq(reviewVotes.reviewId, id), eq(reviewVotes.round, round), eq(reviewVotes.stage, stage));
  return tx.orm.$count(reviewVotes, ofStage);
}
