import type { PolicyTarget } from "@oven/contract/workflow";
import type { Finding } from "./finding.ts";
import type { GraphFacts } from "./graph-facts.ts";
import { type PolicyGraph, placesOf } from "./policy-graph.ts";
import { reachUnreviewed, showWay } from "./reach.ts";
import { hitsOf } from "./targets.ts";

/** Paths from the start to the target without an approval (by the role). */
export function findUnreviewed(
  graph: PolicyGraph,
  { target, role }: { target: PolicyTarget; role?: string | undefined },
  facts: GraphFacts,
  standing: readonly string[],
): Finding[] {
  const before = reachUnreviewed([graph.start, ...placesOf(graph, standing)], role);
  return [...before.keys()].flatMap((place) => {
    if (place.part !== "state" || place.call === undefined) return [];
    const hits = hitsOf(target, place.call, facts, role);
    if (hits.length === 0) return [];
    return [
      {
        path: place.path,
        message: `${hits.join(", ")} is reached without a review${role === undefined ? "" : ` by ${role}`}: ${showWay(before, place)}`,
        fix:
          standing.length === 0
            ? "Put a review on the way that no deadline approves, and let only its approval lead on."
            : "Go on from a checkpoint before the review, so that a person decides on what is done now.",
      },
    ];
  });
}
