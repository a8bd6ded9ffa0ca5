import type { Json, Review } from "@oven/contract";
import { api } from "../../providers/api-client.ts";
import { ApiError } from "../../providers/api-error.ts";

export interface DecisionDraft {
  action: string;
  /** Only sent with an edit. */
  data?: Json;
  reason: string;
}

/** The digest says what was seen: the server refuses when something else would be released. */
export async function decide(review: Review, draft: DecisionDraft): Promise<void> {
  await api(`reviews/${review.id}/decide`, {
    method: "POST",
    body: {
      action: draft.action,
      digest: review.digest,
      ...(draft.data === undefined ? {} : { data: draft.data }),
      ...(draft.reason.trim() === "" ? {} : { reason: draft.reason.trim() }),
    },
  });
}

/** Somebody was faster; the page then shows what was decided instead of an error. */
export function isAlreadyDecided(error: unknown): boolean {
  return error instanceof ApiError && error.code === "REVIEW_DECIDED";
}
