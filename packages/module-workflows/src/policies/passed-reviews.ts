import { type Place, type PolicyGraph, placesOf } from "./policy-graph.ts";

/**
 * What can ask people to release what follows it: reviews, and in a recorded run whatever did ask a person.
 * @param isReview whether a node type is a review
 * @param asked ids of the states that asked a person in a recorded run, or whose child runs did
 */
export function reviewsOf(
  { places }: PolicyGraph,
  isReview: (src: string) => boolean,
  asked: ReadonlySet<string> = new Set(),
): Place[] {
  return places.filter(
    ({ part, label, call }) => part === "state" && ((call !== undefined && isReview(call.src)) || asked.has(label)),
  );
}

/**
 * Those of the reviews that can come before the places where a run begins, and that it does not come to on the way there: they
 * are reached from the start of the graph without these places, and lead to one of them.
 * @param states ids of the states where the run begins
 */
export function reviewsBefore(graph: PolicyGraph, reviews: readonly Place[], states: readonly string[]): Place[] {
  const standing = new Set(placesOf(graph, states));
  if (standing.size === 0) return [];
  const early = reach([graph.start], standing);
  return reviews.filter(
    (review) => early.has(review) && !standing.has(review) && [...reach([review])].some((place) => standing.has(place)),
  );
}

/**
 * Those of the reviews that lead back to where a run stands, though it can go on to a further call without them: at a place that a
 * run comes to again, the graph alone does not say whether a review is still to come.
 * @param reviews what has been asked already
 */
export function reviewsPassedBy(graph: PolicyGraph, reviews: readonly Place[], states: readonly string[]): Place[] {
  const standing = new Set(placesOf(graph, states));
  return reviews.filter((review) => {
    if (standing.has(review) || ![...reach([review])].some((place) => standing.has(place))) return false;
    const onward = reach([...standing], new Set([review]));
    return [...onward].some(
      (place) => !standing.has(place) && place.part === "state" && place.call?.expanded === false,
    );
  });
}

function reach(starts: readonly Place[], without: ReadonlySet<Place> = new Set()): Set<Place> {
  const reached = new Set(starts.filter((start) => !without.has(start)));
  for (const place of reached) for (const { to } of place.edges) if (!without.has(to)) reached.add(to);
  return reached;
}
