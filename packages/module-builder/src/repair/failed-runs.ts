import { createHash } from "node:crypto";
import { isOvenError, type Json, type JsonObject, type Principal } from "@oven/contract";
import { type Execution, type ExecutionSummary, isTerminal, type NodeRun } from "@oven/contract/run";
import { MAX_REPAIRED_RUNS, type RepairedFailure, type Workflow } from "@oven/contract/workflow";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { normalizeMessage, requireNotOwned, type WorkflowFace } from "@oven/module-workflows";
import { failuresDiffer, notRepairable } from "./repair-errors.ts";

/** What starting, changing and applying a repair takes. */
export const REPAIR_PERMISSIONS = ["agent-workflows.update", "agent-workflows.execute", "executions.read"] as const;

/** Failed runs that failed in the same way, and the workflow that they are of. */
export interface GatheredFailures {
  workflow: Workflow;
  failure: RepairedFailure;
  /** The same of runs that failed in the same way. */
  failureKey: string;
  /** The newest last. */
  runIds: number[];
  example: FailureExample;
}

/** The newest of the failed runs, as it failed. */
export interface FailureExample {
  executionId: number;
  message: string;
  input: Json;
  /** The step that failed; null: it is not known. */
  step: { nodeId: string; nodeType: string; input: Json; output: Json } | null;
}

/** Reads failed runs as the principal, and refuses what cannot be repaired together. */
export class FailedRuns {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  /**
   * @throws OvenError NOT_FOUND, FORBIDDEN, FAILURES_DIFFER 422, NOT_REPAIRABLE 409, SHARED_WORKFLOW 403, WORKFLOW_OWNED 409
   */
  async gather(principal: Principal, runIds: readonly number[]): Promise<GatheredFailures> {
    for (const permission of REPAIR_PERMISSIONS) requirePermission(principal, permission);
    const { runs, workflows } = this.#face;
    const ids = [...new Set(runIds)].toSorted((one, other) => one - other);
    const found: ExecutionSummary[] = [];
    for (const id of ids) found.push(await runs.reader.summary(principal, id));
    const newest = found.at(-1);
    if (newest === undefined) throw new Error("a repair needs a run");
    for (const run of found) requireFailed(run);
    const failure = failureOf(newest);
    for (const run of found) requireSame(run, newest, failure);
    const workflow = await workflows.getOwn(principal, String(newest.agentWorkflowId));
    requireNotOwned(workflow);
    await this.#requireStillFailing(principal, workflow, newest);
    const example = toExample(await runs.reader.shown(principal, newest.id));
    return { workflow, failure, failureKey: toFailureKey(failure), runIds: ids, example };
  }

  /** Runs of the workflow that failed in the same way and were not tried again yet, the newest last. */
  async alike(principal: Principal, workflowId: number, failure: RepairedFailure): Promise<number[]> {
    const { groups } = await this.#face.failures.groups(principal, { workflow: String(workflowId), days: 30 });
    const { code, nodeId, message } = failure;
    const group = groups.find((one) => one.code === code && one.nodeId === nodeId && one.message === message);
    return (group?.open ?? []).slice(0, MAX_REPAIRED_RUNS).toSorted((one, other) => one - other);
  }

  /** A run of an earlier version may need no more than to be tried again. */
  async #requireStillFailing(principal: Principal, workflow: Workflow, run: ExecutionSummary): Promise<void> {
    if (run.workflowVersion === workflow.version) return;
    try {
      const { rehearsals } = this.#face;
      const { ends } = await rehearsals.sides(principal, String(workflow.id), run.id, {
        definition: workflow.definition,
      });
      if (ends.is?.status !== "completed") return;
    } catch (error) {
      // There is no recording to go by: then it is not known.
      if (isOvenError(error)) return;
      throw error;
    }
    throw notRepairable(
      `Run ${run.id} fails no more on version ${workflow.version} of ${workflow.name}`,
      "Try the runs again on the current version.",
    );
  }

  get #face(): WorkflowFace {
    return this.#services.workflowPlatform.face("agent-workflow");
  }
}

/** Both lists of runs as one, the newest last, and of too many the newest. */
export function mergeRuns(runIds: readonly number[], more: readonly number[]): number[] {
  return [...new Set([...runIds, ...more])].toSorted((one, other) => one - other).slice(-MAX_REPAIRED_RUNS);
}

/** In which way a run failed. */
export function failureOf({ error, errorInfo }: Pick<ExecutionSummary, "error" | "errorInfo">): RepairedFailure {
  const { code, nodeId, message } = errorInfo ?? { code: "FAILED", nodeId: null, message: error ?? "" };
  return { code, nodeId, message: normalizeMessage(message) };
}

/** @returns SHA-256 (hex) */
export function toFailureKey({ code, nodeId, message }: RepairedFailure): string {
  return createHash("sha256")
    .update(JSON.stringify([code, nodeId, message]))
    .digest("hex");
}

/** @throws OvenError NOT_REPAIRABLE 409 */
function requireFailed({ id, status, parentId, workflowVersion, options }: ExecutionSummary): void {
  if (!isTerminal(status) || status !== "failed")
    throw notRepairable(`Run ${id} has not failed: it is ${status}`, "Repair runs that have failed.");
  if (parentId !== null)
    throw notRepairable(`Run ${id} is a part of run ${parentId}`, `Repair the workflow of run ${parentId}.`);
  if (workflowVersion < 1 || options?.test === true || options?.dryRun === true)
    throw notRepairable(`Run ${id} is a test`, "Repair runs of a published version.");
}

/** @throws OvenError FAILURES_DIFFER 422 */
function requireSame(run: ExecutionSummary, newest: ExecutionSummary, failure: RepairedFailure): void {
  if (run.agentWorkflowId !== newest.agentWorkflowId)
    throw failuresDiffer(run.id, newest.id, "are of different workflows");
  if (toFailureKey(failureOf(run)) !== toFailureKey(failure))
    throw failuresDiffer(run.id, newest.id, "failed in different ways");
}

function toExample(run: Execution): FailureExample {
  const nodeId = run.errorInfo?.nodeId ?? null;
  const failed = run.nodes.filter((node) => node.nodeId === nodeId && node.item === null);
  const step: NodeRun | undefined = failed.findLast(({ status }) => status === "failed") ?? failed.at(-1);
  return {
    executionId: run.id,
    message: run.errorInfo?.message ?? run.error ?? "",
    input: run.input,
    step:
      step === undefined
        ? null
        : { nodeId: step.nodeId, nodeType: step.nodeType, input: step.input, output: step.output },
  };
}

/** Shown to a model as it stands. */
export function toJsonText(value: Json | JsonObject, most: number): string {
  const text = JSON.stringify(value);
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}
