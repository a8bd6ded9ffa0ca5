import type { PolicyTarget } from "@oven/contract";
import type { Finding } from "./finding.ts";
import type { GraphFacts } from "./graph-facts.ts";
import type { PolicyGraph } from "./policy-graph.ts";
import { reachUnreviewed, showWay } from "./reach.ts";
import { hitsOf } from "./targets.ts";

/** Ways from the start to the target on which nobody (of the role) has approved. */
export function findUnreviewed(
  { start }: PolicyGraph,
  { target, role }: { target: PolicyTarget; role?: string | undefined },
  facts: GraphFacts,
): Finding[] {
  const before = reachUnreviewed([start], role);
  return [...before.keys()].flatMap((place) => {
    if (place.part !== "state" || place.call === undefined) return [];
    const hits = hitsOf(target, place.call, facts, role);
    if (hits.length === 0) return [];
    return [
      {
        path: place.path,
        message: `${hits.join(", ")} is reached without a review${role === undefined ? "" : ` by ${role}`}: ${showWay(before, place)}`,
        fix: "Put a review on the way, and let only its approval lead on.",
      },
    ];
  });
}
