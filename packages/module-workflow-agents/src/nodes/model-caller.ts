import type { Principal, Traffic } from "@oven/contract";
import type { ModelCaller, Recording, Spend as StoreSpend } from "@oven/module-ai";
import type { NodeContext, ToolRun } from "@oven/module-registry";

/** On whose behalf a node calls a model: what usage rows and budgets go by. */
export function callerOf({
  principal,
  node,
  settings,
  agent,
  options,
}: Pick<NodeContext, "principal" | "node" | "settings" | "agent" | "options">): ModelCaller {
  const { recording } = options ?? {};
  return {
    ...callerOfTool(principal, { ...node, ...(recording === undefined ? {} : { recording }) }),
    workflow: `${node.kind}:${settings.workflowId}`,
    ...(agent === null ? {} : { agent: String(agent.id) }),
  };
}

/** The same for a tool, which need not be called from a run. */
export function callerOfTool({ tenantId, userId, keyId }: Principal, run: ToolRun | undefined): ModelCaller {
  return {
    tenantId,
    userId,
    ...(keyId === undefined ? {} : { keyId }),
    ...(run === undefined ? {} : { executionId: run.executionId, nodeId: run.nodeId }),
    ...(run?.recording === undefined ? {} : { recording: toRecording(run, run.recording) }),
  };
}

/** The place in the run, not its id: another run of the same graph finds its answers there. */
function toRecording({ nodeId, visit, item }: ToolRun, { name, mode, scope }: Traffic): Recording {
  return { name, mode, callKey: [scope, nodeId, visit, ...(item === null ? [] : [item])].join("/") };
}

/** What a search or a memory cost, as a node's result says it. */
export function toSpend({ usage, costMicros, simulated }: StoreSpend) {
  return { tokenUsage: usage, costMicros, simulated };
}
