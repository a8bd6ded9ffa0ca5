import type { Principal } from "@oven/contract";
import type { ModelCaller, Spend as StoreSpend } from "@oven/module-ai";
import type { NodeContext, ToolRun } from "@oven/module-registry";

/** On whose behalf a node calls a model: what usage rows and budgets go by. */
export function callerOf({
  principal,
  node,
  settings,
  agent,
}: Pick<NodeContext, "principal" | "node" | "settings" | "agent">): ModelCaller {
  return {
    ...callerOfTool(principal, node),
    rootExecutionId: node.rootExecutionId,
    workflow: `${node.kind}:${settings.workflowId}`,
    ...(agent === null ? {} : { agent: String(agent.id) }),
  };
}

/** The same for a tool, which need not be called from a run. */
export function callerOfTool(
  { tenantId, userId, keyId }: Principal,
  run: Pick<ToolRun, "executionId" | "nodeId"> | undefined,
): ModelCaller {
  return {
    tenantId,
    userId,
    ...(keyId === undefined ? {} : { keyId }),
    ...(run === undefined ? {} : { executionId: run.executionId, nodeId: run.nodeId }),
  };
}

/** What a search or a memory cost, as a node's result says it. */
export function toSpend({ usage, costMicros, simulated }: StoreSpend) {
  return { tokenUsage: usage, costMicros, simulated };
}
