import { isOvenError, JsonSchema, SYSTEM_PRINCIPAL } from "@oven/contract";
import { isRisky, type Review } from "@oven/contract/review";
import { type Queryable, withinTenant } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { reviewPath } from "../messages/facts.ts";
import { shorten } from "../messages/shorten.ts";
import { formatIn, toFieldText, toOutcome, toShownLine, whoApproved, whoDecides } from "./review-text.ts";

/** A longer proposal is not shown whole in a message, and what is not shown whole is not approved there. In characters. */
const LONGEST_PROPOSAL = 8_000;
const LONGEST_WHY = 1_500;
const LONGEST_TITLE = 250;

/** A review as a message shows it to everybody who can read the message. */
export interface ShownReview {
  id: number;
  /** Of what is proposed, whole: a decision carries it back. */
  digest: string;
  /** Equal for as long as a message about it need not be changed. */
  state: string;
  title: string;
  facts: readonly { label: string; text: string }[];
  proposal: string;
  /** What belongs to it: the reasons of the run. Cut where it is long. */
  why: string;
  /** `twice`: a second press confirms, as on the page for what moves money or cannot be undone. */
  approve: "once" | "twice" | null;
  reject: boolean;
  /** Why not everything can be decided from here; null: it can. */
  note: string | null;
  /** How it ended; null while it is open. */
  outcome: string | null;
  /** Of its page. */
  link: string;
}

/** SQL of `ShownReview.state`, of the review `r`. */
export const STATE_OF_R = `concat_ws(':', r.status, r.round, r.stage, md5(r.assignees::text), r.due_at,
  (select count(*) from review_votes v where v.review_id = r.id and v.round = r.round))`;

/**
 * Reads a review for a message.
 * @param timezone IANA, for its times
 * @returns undefined when the review is gone
 */
export async function readShownReview(
  { db, services, publicUrl }: { db: Queryable; services: ServiceMap; publicUrl: string },
  { tenantId, reviewId, timezone }: { tenantId: number; reviewId: number; timezone: string },
): Promise<ShownReview | undefined> {
  // Before the review itself: what changes in between changes the message once more.
  const [row] = await db.query<{ state: string }>(
    `select ${STATE_OF_R} as state from reviews r where r.id = $1 and r.tenant_id = $2`,
    [reviewId, tenantId],
    "notification-review-state",
  );
  if (row === undefined) return undefined;
  let review: Review;
  try {
    const { reviews } = services.workflowPlatform;
    review = await withinTenant(tenantId, () => reviews.get({ ...SYSTEM_PRINCIPAL, tenantId }, reviewId));
  } catch (error) {
    if (isOvenError(error) && error.status === 404) return undefined;
    throw error;
  }
  const redact = (value: Review["proposal"]) => JsonSchema.parse(services.secrets.redact(tenantId, value));
  const proposal = toFieldText(redact(review.proposal));
  const isWhole = proposal.length <= LONGEST_PROPOSAL;
  const isOpen = review.status === "open";
  const offers = (action: string) => isOpen && review.actions.includes(action);
  return {
    id: reviewId,
    digest: review.digest,
    state: row.state,
    title: shorten(toShownLine(services.secrets.redact(tenantId, review.title)), LONGEST_TITLE),
    facts: toFacts(review, timezone),
    proposal: shorten(proposal, LONGEST_PROPOSAL),
    why: shorten(toFieldText(redact(review.context)), LONGEST_WHY),
    approve: offers("approve") && isWhole ? (isRisky(review) ? "twice" : "once") : null,
    reject: offers("reject"),
    note: isOpen ? toNote(review, isWhole) : null,
    outcome: toOutcome(review, timezone),
    link: publicUrl + reviewPath(reviewId),
  };
}

function toFacts(review: Review, timezone: string): ShownReview["facts"] {
  const { requestedByName, workflowName, tool, dueAt, status, votes } = review;
  const facts = [
    { label: "Workflow", text: toShownLine(workflowName) },
    { label: "Asked by", text: toShownLine(requestedByName ?? "") },
    {
      label: "Calls",
      text: tool === null ? "" : `${toShownLine(tool)}${isRisky(review) ? " (cannot be undone, or moves money)" : ""}`,
    },
    { label: "May decide", text: status === "open" ? whoDecides(review) : "" },
    { label: "Due", text: status === "open" && dueAt !== null ? formatIn(timezone, new Date(dueAt)) : "" },
    { label: "Approved by", text: votes.length === 0 ? "" : whoApproved(review) },
  ];
  return facts.filter(({ text }) => text !== "");
}

function toNote({ actions }: Review, isWhole: boolean): string | null {
  if (!actions.includes("approve")) return "It asks for an answer that is filled in: open it in OVEN.";
  if (!isWhole) return "It is too long to be shown here whole: read and approve it in OVEN.";
  return null;
}
