import type { Principal } from "@oven/contract";
import type { Traffic } from "@oven/contract/run";
import type { ToolRun } from "@oven/module-registry";
import type { Recording } from "../model/model-request.ts";
import type { ModelCaller } from "./record-usage.ts";

/** On whose behalf a route or a tool calls a model: what usage rows and budgets go by. `run`: the call of a run that it is. */
export function callerOf({ tenantId, userId, keyId }: Principal, run: ToolRun | undefined): ModelCaller {
  return {
    tenantId,
    userId,
    ...(keyId === undefined ? {} : { keyId }),
    ...(run === undefined ? {} : { nodeId: run.nodeId }),
    // A call that is tried on a past run belongs to no run.
    ...(run === undefined || run.executionId < 0
      ? {}
      : { executionId: run.executionId, rootExecutionId: run.rootExecutionId }),
    ...(run?.workflow === undefined ? {} : { workflow: run.workflow }),
    ...(run?.agent === undefined ? {} : { agent: run.agent }),
    ...(run?.recording === undefined ? {} : { recording: toRecording(run, run.recording) }),
  };
}

/** The place in the run, not its id: another run of the same graph finds its answers there. */
function toRecording({ nodeId, visit, item }: ToolRun, { name, mode, scope }: Traffic): Recording {
  return { name, mode, callKey: [scope, nodeId, visit, ...(item === null ? [] : [item])].join("/") };
}
