import type { McpReviewView } from "@oven/contract/mcp";

/** The review that a view shows, and what it has become meanwhile. */
export interface ShownReview {
  review: McpReviewView;
  /** The same review with another proposal: it is shown when the reader asks for it, so that nothing changes under their eyes. */
  changed: McpReviewView | undefined;
}

/**
 * Which open review is shown next to what was shown before. It stays the same one, with the proposal that was shown, until it is decided.
 * @param open oldest first
 */
export function nextShown(before: ShownReview | undefined, open: readonly McpReviewView[]): ShownReview | undefined {
  const now = open.find(({ id }) => id === before?.review.id);
  if (before !== undefined && now !== undefined)
    return now.digest === before.review.digest
      ? { review: now, changed: undefined }
      : { review: before.review, changed: now };
  const review = open.find(({ mayDecide }) => mayDecide) ?? open[0];
  return review === undefined ? undefined : { review, changed: undefined };
}
