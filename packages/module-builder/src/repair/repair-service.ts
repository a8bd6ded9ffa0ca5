import { isOvenError, notFound, type Principal } from "@oven/contract";
import { isTerminal } from "@oven/contract/run";
import {
  compareDefinitions,
  REPAIR_WORKFLOW,
  type Repair,
  type RepairStatus,
  type RepairSummary,
  type StartedRepair,
} from "@oven/contract/workflow";
import type { ServiceMap } from "@oven/module-registry";
import type { WorkflowFace } from "@oven/module-workflows";
import type { ProposalRow } from "./builder-proposals.table.ts";
import type { FailedRuns, GatheredFailures } from "./failed-runs.ts";
import type { ProposalRows } from "./proposal-rows.ts";

/** What a repair's run is started by. */
export const FROM_REPAIR = "repair";

export interface RepairServiceDeps {
  services: ServiceMap;
  rows: ProposalRows;
  failedRuns: FailedRuns;
  /** What a repair of this workflow may cost, in 10⁻⁶ USD. */
  maxCostMicros(tenantId: number, workflowId: number): Promise<number>;
}

/** Starts and shows repairs. */
export class RepairService {
  readonly #deps: RepairServiceDeps;

  constructor(deps: RepairServiceDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError those of `FailedRuns.gather`, REPAIR_UNDER_WAY 409, and what starting any run throws */
  async start(principal: Principal, runIds: readonly number[]): Promise<StartedRepair> {
    const { failedRuns, rows } = this.#deps;
    const found = await failedRuns.gather(principal, runIds);
    await rows.requireNone(principal, { workflowId: found.workflow.id, failureKey: found.failureKey });
    return this.begin(principal, found, { automatic: false });
  }

  /** Starts the run of a repair that nothing speaks against. @param more with a key only one run is started for it */
  async begin(
    principal: Principal,
    { workflow, runIds }: Pick<GatheredFailures, "workflow" | "runIds">,
    { automatic, idempotencyKey }: { automatic: boolean; idempotencyKey?: string },
  ): Promise<StartedRepair> {
    const { id: executionId } = await this.#face.runs.execute(principal, {
      // By its id: a tenant may have a workflow of its own with the same slug.
      workflow: String(await this.#face.workflows.sharedId(REPAIR_WORKFLOW)),
      input: { runs: [...runIds], ...(automatic ? { group: true, automatic } : {}) },
      options: { maxCostMicros: await this.#deps.maxCostMicros(principal.tenantId, workflow.id) },
      triggerEvent: FROM_REPAIR,
      idempotencyKey,
    });
    return { executionId };
  }

  /** The newest first. */
  async list(principal: Principal, workflowId: number | undefined): Promise<RepairSummary[]> {
    const rows = await this.#deps.rows.list(principal, { workflowId });
    const shown: RepairSummary[] = [];
    for (const row of rows) shown.push(toSummary(row, await this.#statusOf(principal, row)));
    return shown;
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, executionId: number): Promise<Repair> {
    const row = await this.#deps.rows.find(principal, executionId);
    if (row === undefined) throw notFound("repair", executionId);
    const { definition, evidence, decision } = row;
    const { workflows } = this.#face;
    // Whose workflow is gone, or hidden from this person, is not shown either.
    await workflows.get(principal, String(row.workflowId));
    const before = (await workflows.pinned(row.workflowId, row.baseVersion)).definition;
    const after = evidence !== null && evidence.wrong.length === 0 ? definition : null;
    const [open] = await this.#deps.services.workflowPlatform.reviews.open(principal, executionId);
    return {
      ...toSummary(row, await this.#statusOf(principal, row)),
      ...{ before, after, changes: after && compareDefinitions(before, after) },
      ...{ evidence, explanation: row.explanation, reviewId: open?.id ?? decision?.reviewId ?? null },
      ...{ reason: row.reason, publishedVersion: row.publishedVersion, retried: row.retried ?? [] },
    };
  }

  /** One whose run has ended without a word has ended. */
  async #statusOf(principal: Principal, { open, status, executionId }: ProposalRow): Promise<RepairStatus> {
    if (!open) return status;
    try {
      const run = await this.#face.runs.reader.summary(principal, executionId);
      return isTerminal(run.status) ? "ended" : status;
    } catch (error) {
      if (isOvenError(error) && error.code === "NOT_FOUND") return "ended";
      throw error;
    }
  }

  get #face(): WorkflowFace {
    return this.#deps.services.workflowPlatform.face("agent-workflow");
  }
}

function toSummary(row: ProposalRow, status: RepairStatus): RepairSummary {
  const { executionId, workflowId, workflowName, baseVersion, failure, runIds, automatic, createdAt } = row;
  return {
    ...{ executionId, workflowId, workflowName, baseVersion, failure, runIds, automatic, status },
    createdAt: createdAt.toISOString(),
  };
}
