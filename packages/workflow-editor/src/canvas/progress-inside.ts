import { getOwn } from "@oven/contract";
import type { GraphNode, NodeProgress } from "../graph/graph-model.ts";

const URGENCY = ["failed", "paused", "running", "cancelled", "completed", "skipped"] as const;

/** The most urgent progress among the states that a folded container hides. */
export function progressInside(
  nodes: Readonly<Record<string, NodeProgress>>,
  inside: GraphNode["inside"],
): NodeProgress | null {
  const found = (inside ?? []).flatMap((id) => getOwn(nodes, id) ?? []);
  for (const status of URGENCY) if (found.some((progress) => progress.status === status)) return { status };
  return null;
}
