import type { GraphNode, NodeProgress } from "../graph/graph-model.ts";

const URGENCY = ["failed", "paused", "running", "cancelled", "completed", "skipped"] as const;

/** Of what a folded container hides, what a person must know first. */
export function progressInside(
  nodes: Readonly<Record<string, NodeProgress>>,
  inside: GraphNode["inside"],
): NodeProgress | null {
  const found = (inside ?? []).flatMap((id) => nodes[id] ?? []);
  for (const status of URGENCY) if (found.some((progress) => progress.status === status)) return { status };
  return null;
}
