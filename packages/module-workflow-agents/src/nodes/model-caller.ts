import { callerOf, type ModelCaller, type Spend as StoreSpend } from "@oven/module-ai";
import type { NodeContext } from "@oven/module-registry";

/** On whose behalf a node calls a model: what usage rows and budgets go by. */
export function callerOfNode({
  principal,
  node,
  settings,
  agent,
  options,
}: Pick<NodeContext, "principal" | "node" | "settings" | "agent" | "options">): ModelCaller {
  const { recording } = options ?? {};
  return {
    ...callerOf(principal, { ...node, ...(recording === undefined ? {} : { recording }) }),
    workflow: `${node.kind}:${settings.workflowId}`,
    ...(agent === null ? {} : { agent: String(agent.id) }),
  };
}

/** What a search or a memory cost, as a node's result says it. */
export function toSpend({ usage, costMicros, simulated }: StoreSpend) {
  return { tokenUsage: usage, costMicros, simulated };
}
