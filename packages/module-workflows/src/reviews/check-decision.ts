import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { Decision } from "@oven/contract/review";
import { hashJson, violationsOf } from "@oven/engine";
import type { ReviewRow } from "./review-row.ts";
import { needsVotes, policyOf } from "./reviewer.ts";

/** What each vote of a quorum can say: anything else would need a meaning for half of it. */
const VOTES = new Set(["approve", "edit", "reject"]);

/**
 * What the decision hands on: the proposal as shown, or as edited.
 * @throws OvenError ACTION_UNKNOWN 400, REASON_REQUIRED 400, INVALID_EDIT 400, DIGEST_REQUIRED 400
 */
export function checkDecision(review: ReviewRow, decision: Decision): Json {
  const quorum = needsVotes(policyOf(review));
  const actions = quorum ? review.actions.filter((action) => VOTES.has(action)) : review.actions;
  if (!actions.includes(decision.action)) {
    throw new OvenError("ACTION_UNKNOWN", `This review does not offer ${decision.action}`, {
      path: "$.action",
      fix: `Use one of ${actions.join(", ")}.`,
    });
  }
  // The proposal may have been edited since: reviewers approve only what they were shown.
  if (quorum && decision.action !== "reject" && decision.digest === undefined) {
    throw new OvenError("DIGEST_REQUIRED", "This review needs several approvals of the same proposal", {
      path: "$.digest",
      fix: "Send the digest of what you were shown.",
    });
  }
  if (decision.action === "reject" && (decision.reason ?? "").trim() === "") {
    throw new OvenError("REASON_REQUIRED", "A rejection needs a reason", { path: "$.reason", fix: "Say why." });
  }
  if (decision.action === "approve") return review.proposal;
  // A step that a crash left open: its output can only come from the person.
  if (decision.action === "supply" && decision.data === undefined) {
    throw new OvenError("INVALID_EDIT", "Supplying the step's output needs the output", {
      path: "$.data",
      fix: "Send what the step answered as data, or choose rerun or fail.",
    });
  }
  if (decision.action === "edit" && decision.data === undefined) {
    throw new OvenError("INVALID_EDIT", "An edit needs the edited proposal", {
      path: "$.data",
      fix: "Send it as data.",
    });
  }
  if (decision.data === undefined && decision.action !== "submit") return review.proposal;
  const data = decision.data ?? review.proposal;
  const [first] = review.schema === null ? [] : violationsOf(review.schema as JsonObject, data, "$.data");
  if (first !== undefined) {
    throw new OvenError("INVALID_EDIT", `${first.path}: ${first.message}`, {
      path: first.path,
      fix: "Edit it to fit the review's schema.",
    });
  }
  return data;
}

/** @throws OvenError REVIEW_CHANGED 409 when what the caller was shown is not what the review is about */
export function checkDigest({ digest }: Pick<ReviewRow, "digest">, decision: Decision): void {
  if (decision.digest === undefined || decision.digest === digest) return;
  throw new OvenError("REVIEW_CHANGED", "What you were shown is not what this review is about", {
    status: 409,
    path: "$.digest",
    fix: "Load the review again and decide on what it shows now.",
    details: { digest },
  });
}

/**
 * Reviews decided together show the same title and context besides the same proposal: the person has read only the first.
 * @throws OvenError REVIEW_DIFFERS 409
 */
export function requireSameShown(review: ReviewRow, read: ReviewRow): void {
  if (shownOf(review) === shownOf(read)) return;
  throw new OvenError("REVIEW_DIFFERS", `Review ${review.id} shows another title or context than review ${read.id}`, {
    status: 409,
    path: "$.ids",
    fix: "Look at it and decide it by itself.",
  });
}

function shownOf({ title, context }: ReviewRow): string {
  return hashJson({ title, context });
}

/** @throws OvenError REVIEW_DECIDED 409 unless the review is open */
export function requireOpen(review: ReviewRow): void {
  if (review.status !== "open") throw decidedError(review);
}

export function decidedError({ status, action, reason, decidedBy, decidedAt }: ReviewRow): OvenError {
  const what = status === "decided" ? `decided: ${action}` : status;
  return new OvenError("REVIEW_DECIDED", `This review was ${what} already`, {
    status: 409,
    fix: "Nothing is left to do here; the run shows what followed.",
    details: { decision: { status, action, reason, decidedBy, decidedAt: decidedAt?.toISOString() ?? null } },
  });
}
