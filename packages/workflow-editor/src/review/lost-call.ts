import type { Review } from "@oven/contract/review";
import type { NodeRun } from "@oven/contract/run";

/** The call of which a review asks whether it happened; undefined where the review asks something else. */
export function findLostCall(
  { actions, proposal }: Pick<Review, "actions" | "proposal">,
  nodes: readonly NodeRun[],
): NodeRun | undefined {
  if (!actions.includes("supply") || proposal === null || typeof proposal !== "object" || Array.isArray(proposal))
    return undefined;
  const { nodeId, visit, item } = proposal;
  return nodes.find((run) => run.nodeId === nodeId && run.visit === visit && run.item === item);
}
