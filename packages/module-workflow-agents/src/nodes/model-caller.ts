import type { ModelCaller, Spend as StoreSpend } from "@oven/module-ai";
import type { NodeContext } from "@oven/module-registry";

/** On whose behalf a node calls models: its usage rows name the run and the node. */
export function toCaller({ principal, node }: Pick<NodeContext, "principal" | "node">): ModelCaller {
  const { tenantId, userId } = principal;
  return { tenantId, userId, executionId: node.executionId, nodeId: node.nodeId };
}

/** What a search or a memory cost, as a node's result says it. */
export function toSpend({ usage, costMicros, simulated }: StoreSpend) {
  return { tokenUsage: usage, costMicros, simulated };
}
