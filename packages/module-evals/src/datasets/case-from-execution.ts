import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { CaseFromExecution, NewEvalCase } from "@oven/contract/eval";
import { type Execution, isTerminal } from "@oven/contract/run";
import { isObject } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import { requirePermission } from "@oven/module-registry";
import { runAgentOf } from "@oven/module-workflows";
import type { EvalTargets } from "../runs/eval-targets.ts";
import type { DatasetRow } from "./dataset-rows.ts";

export interface PastRuns {
  services: ServiceMap;
  targets: EvalTargets;
}

/**
 * A case that asks what a past run was asked.
 * @throws OvenError NOT_FOUND, FORBIDDEN, NOT_OF_TARGET 422, STILL_RUNNING 409
 */
export async function toCaseOf(
  { services, targets }: PastRuns,
  principal: Principal,
  dataset: DatasetRow,
  { executionId, name, expectations }: CaseFromExecution,
): Promise<NewEvalCase> {
  requirePermission(principal, "executions.read");
  const kind = dataset.targetKind === "workflow" ? "workflow" : "agent-workflow";
  const { reader } = services.workflowPlatform.face(kind).runs;
  const run = await reader.get(principal, executionId);
  const ofTarget =
    dataset.targetKind === "agent"
      ? runAgentOf(await reader.row(principal, executionId))?.id
      : (run.workflowId ?? run.agentWorkflowId);
  if (ofTarget !== dataset.targetId) {
    const { name: wanted } = await targets.find(principal, { kind: dataset.targetKind, id: dataset.targetId });
    throw new OvenError("NOT_OF_TARGET", `Execution ${executionId} is not a run of ${wanted}`, {
      status: 422,
      path: "$.executionId",
      fix: "Choose a run of what the dataset is about.",
    });
  }
  if (expectations === undefined && !isTerminal(run.status))
    throw new OvenError("STILL_RUNNING", `Execution ${executionId} has not ended`, {
      status: 409,
      path: "$.executionId",
      fix: "Wait for its end, or give expectations.",
    });
  return {
    name: name ?? `Execution ${executionId}`,
    input: dataset.targetKind === "agent" ? toAsked(run) : (run.input as JsonObject), // cast: a run's input is an object
    expectations: expectations ?? sameAgain(run),
    ...{ decisions: [], pins: null, tags: [], enabled: true },
  };
}

function sameAgain({ status, output, errorInfo }: Execution): NewEvalCase["expectations"] {
  if (status === "completed") return [{ type: "exact", path: "$", value: output }];
  return [{ type: "status", status, ...(errorInfo === null ? {} : { error: errorInfo.code }) }];
}

/** What an agent was told, as it can be told again: `message` is the last of `messages`. */
function toAsked({ input }: Execution): JsonObject {
  if (!isObject(input)) return {};
  const { message, messages, ...parameters } = input;
  return { ...(messages === undefined ? { message: message ?? "" } : { messages }), parameters };
}
