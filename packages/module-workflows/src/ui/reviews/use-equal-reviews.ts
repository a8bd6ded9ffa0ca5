import type { Review } from "@oven/contract/review";
import { useGetList } from "react-admin";

const UP_TO = { pagination: { page: 1, perPage: 100 }, sort: { field: "id", order: "ASC" as const } };

/**
 * Other open reviews of the same step that show the very same (proposal, title and context) and that the caller may decide alike.
 */
export function useEqualReviews(review: Review, enabled: boolean): Review[] {
  const { digest, executionKind, workflowId, nodeId } = review;
  const { data = [] } = useGetList<Review>(
    "reviews",
    { ...UP_TO, filter: { status: "open", digest, executionKind, workflowId, nodeId } },
    { enabled },
  );
  if (!enabled) return [];
  return data.filter((other) => other.id !== review.id && other.mayDecide && toShown(other) === toShown(review));
}

/** What a person reads of it, besides the proposal. */
function toShown({ title, context, actions }: Review): string {
  return JSON.stringify([title, context, actions]);
}
