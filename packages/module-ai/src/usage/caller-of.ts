import type { Principal } from "@oven/contract";
import type { ToolRun } from "@oven/module-registry";
import type { ModelCaller } from "./record-usage.ts";

/** On whose behalf a route or a tool calls a model: what usage rows and budgets go by. `run`: the call of a run that it is. */
export function callerOf(
  { tenantId, userId, keyId }: Principal,
  run: Pick<ToolRun, "executionId" | "rootExecutionId" | "nodeId"> | undefined,
): ModelCaller {
  return {
    tenantId,
    userId,
    ...(keyId === undefined ? {} : { keyId }),
    ...(run === undefined
      ? {}
      : { executionId: run.executionId, rootExecutionId: run.rootExecutionId, nodeId: run.nodeId }),
  };
}
