import type { Deciders } from "./graph-facts.ts";
import type { Edge, Place } from "./policy-graph.ts";

/** Whether what these people approved counts: any review does, unless a role is asked for. */
export function isReviewedBy(deciders: Deciders, role: string | undefined): boolean {
  if (role === undefined) return true;
  return deciders !== null && deciders.length > 0 && deciders.every((decider) => decider === `role:${role}`);
}

/**
 * The places that can be got to without a review on the way, each with the one before it. The ends of parallel regions are
 * passed together: a review in one of them is a review of what follows all of them.
 */
export function reachUnreviewed(starts: readonly Place[], role: string | undefined): Map<Place, Place | undefined> {
  const before = new Map<Place, Place | undefined>(starts.map((start) => [start, undefined]));
  const queue = [...starts];
  for (const place of queue) {
    for (const edge of place.edges) {
      const { to } = edge;
      if (before.has(to) || isStopped(edge, role)) continue;
      if (to.joins?.some((end) => !before.has(end))) continue;
      before.set(to, place);
      queue.push(to);
    }
  }
  return before;
}

function isStopped({ review }: Edge, role: string | undefined): boolean {
  return review !== undefined && isReviewedBy(review.deciders, role);
}

/** `collect → draft.llm → draft.tools`: the states on the way, the last ones when they are many. */
export function showWay(before: ReadonlyMap<Place, Place | undefined>, end: Place, start?: Place): string {
  const labels: string[] = [];
  const seen = new Set<Place>();
  for (let at: Place | undefined = end; at !== undefined && !seen.has(at); at = before.get(at)) {
    seen.add(at);
    if (at.part === "state" && labels.at(-1) !== at.label && !at.label.endsWith("(start)")) labels.push(at.label);
  }
  if (start !== undefined && labels.at(-1) !== start.label) labels.push(start.label);
  return showLabels(labels.reverse());
}

const SHOWN = 20;

export function showLabels(labels: readonly string[]): string {
  const shown = labels.length <= SHOWN ? labels : ["…", ...labels.slice(-SHOWN)];
  return shown.join(" → ");
}
