import type { Json } from "@oven/contract";
import type { BatchDecided, Review } from "@oven/contract/review";
import { api } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { DecisionHold, type HeldDecision, type Refusal } from "./decision-hold.ts";

export interface DecisionDraft {
  action: string;
  /** Only sent with an edit. */
  data?: Json;
  reason: string;
}

/** The digest says what was seen: the server refuses when something else would be released. */
export function toBody({ digest }: Review, { action, data, reason }: DecisionDraft) {
  return {
    action,
    digest,
    ...(data === undefined ? {} : { data }),
    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  };
}

/**
 * Sends a decision.
 * @param keepalive the page is being left
 * @throws ApiError when it is refused
 */
export async function decide(review: Review, draft: DecisionDraft, keepalive = false): Promise<void> {
  await api(`reviews/${review.id}/decide`, { method: "POST", keepalive, body: toBody(review, draft) });
}

/** Whether another person has decided before. The page then shows that decision instead of an error. */
export function isAlreadyDecided(error: unknown): boolean {
  return error instanceof ApiError && error.code === "REVIEW_DECIDED";
}

/** Browsers let no larger request outlive its page. */
const MAX_KEPT_ALIVE = 60_000;

/** Whether the decision can wait: it could still be sent while the page goes away. */
export function mayWait(review: Review, draft: DecisionDraft): boolean {
  return new TextEncoder().encode(JSON.stringify(toBody(review, draft))).length < MAX_KEPT_ALIVE;
}

async function send({ reviews, draft }: HeldDecision, leaving: boolean): Promise<Refusal[]> {
  const [first, ...others] = reviews;
  const refusal = (review: Review, error: unknown): Refusal => {
    return { review, draft, error, late: others.length === 0 && isAlreadyDecided(error) };
  };
  try {
    if (others.length === 0) {
      await decide(first, draft, leaving);
      return [];
    }
    const body = { ids: reviews.map(({ id }) => id), ...toBody(first, draft) };
    const { json } = await api("reviews/decide", { method: "POST", keepalive: leaving, body });
    // cast: the route's response
    return (json as BatchDecided[]).flatMap(({ id, error }) => {
      const review = reviews.find((one) => one.id === id);
      return error === null || review === undefined ? [] : [refusal(review, new ApiError(409, error))];
    });
  } catch (error) {
    return reviews.map((review) => refusal(review, error));
  }
}

/** One for the whole dashboard: whoever goes to another page can still take it back there. */
export const decisionHold = new DecisionHold(send);
