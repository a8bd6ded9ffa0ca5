import { isGranted, isOvenError, type JsonObject, OvenError, type Principal } from "@oven/contract";
import { RedriveReportSchema } from "@oven/contract/run";
import { type RetriedRun, type Workflow, WorkflowSchema } from "@oven/contract/workflow";
import { contentHash } from "@oven/engine";
import type { ServiceMap, ToolRun } from "@oven/module-registry";
// What it puts into `services`.
import type {} from "@oven/module-roles";
import type { WorkflowFace } from "@oven/module-workflows";
import type { ProposalRow, RepairDecision } from "./builder-proposals.table.ts";
import { REPAIR_PERMISSIONS } from "./failed-runs.ts";

/** How long the end of the runs that are tried again is waited for, all together. */
const WAIT_MS = 10_000;

/** How applying a repair ended. */
export interface Applied {
  status: "applied" | "stale" | "refused";
  reason: string | null;
  publishedVersion: number | null;
  retried: RetriedRun[];
}

/** Where a repair is applied: in a step of the run that repairs. */
export interface ApplyingCall {
  tenantId: number;
  signal: AbortSignal;
  idempotencyKey: string;
  run: ToolRun;
}

/** Publishes what a person has approved, and tries the failed runs again, as that person with the rights of now. */
export class RepairApplier {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  /**
   * The same again publishes nothing more and tries no run twice.
   * @throws OvenError REPAIR_NOT_APPROVED 409 unless exactly this definition was approved; what is no refusal, such as a lost database
   */
  async apply(row: ProposalRow, call: ApplyingCall): Promise<Applied> {
    const approval = approvalOf(row);
    if (approval === undefined) throw notApproved(row.executionId);
    const { definition, decision } = approval;
    const decider = await this.#deciderOf(decision, call.tenantId);
    if (typeof decider === "string") return refused(decider);
    try {
      const workflow = await this.#face.workflows.get(decider, String(row.workflowId));
      const isPublished = await this.#isPublished(decider, workflow, row, definition);
      if (!isPublished && workflow.version !== row.baseVersion) return stale(workflow);
      const { version } = isPublished ? workflow : await this.#publish(decider, row, definition, call);
      const retried = await this.#retry(decider, row.runIds, call);
      return { status: "applied", reason: null, publishedVersion: version, retried };
    } catch (error) {
      if (!isOvenError(error) || error.status >= 500) throw error;
      if (error.code !== "STALE_VERSION") return refused(error.message);
      return stale(await this.#face.workflows.get(decider, String(row.workflowId)));
    }
  }

  /** The person who decided, with what they may do now; text: why nothing is done in their name. */
  async #deciderOf({ by }: RepairDecision, tenantId: number): Promise<Principal | string> {
    const decider = by === null ? undefined : await this.#services.access.findPrincipal(by, tenantId);
    if (decider === undefined) return "Who approved it may not sign in any more";
    const lacking = REPAIR_PERMISSIONS.find((permission) => !isGranted(decider.permissions, permission));
    return lacking === undefined ? decider : `Who approved it does not have the permission ${lacking} any more`;
  }

  /** Whether an earlier attempt of this very step has published it. */
  async #isPublished(
    decider: Principal,
    { id, version, definition: live }: Workflow,
    { baseVersion }: ProposalRow,
    definition: JsonObject,
  ): Promise<boolean> {
    if (version === baseVersion || contentHash(live) !== contentHash(definition)) return false;
    const newest = (await this.#face.workflows.versions(decider, String(id))).find((one) => one.version === version);
    return newest?.createdBy === decider.userId;
  }

  async #publish(
    principal: Principal,
    { workflowId, baseVersion, executionId, failure }: ProposalRow,
    definition: JsonObject,
    { signal, idempotencyKey, run }: ApplyingCall,
  ): Promise<Workflow> {
    const note = `Repair of ${failure.code}, proved and proposed by run ${executionId}`;
    const body = { definition, version: baseVersion, note };
    const answer = await this.#services.tools.call(
      "agents-workflow.agentWorkflows.update",
      { id: String(workflowId), body },
      { principal, signal, idempotencyKey, run },
    );
    return WorkflowSchema.parse(answer);
  }

  async #retry(
    principal: Principal,
    runIds: readonly number[],
    { signal, idempotencyKey, run: step }: ApplyingCall,
  ): Promise<RetriedRun[]> {
    const { runs } = this.#face;
    const retried: RetriedRun[] = [];
    for (const id of runIds) {
      const as = await this.#retryOf(principal, id);
      if (as !== undefined) {
        retried.push({ id, as, status: null, reason: null });
        continue;
      }
      const answer = await this.#services.tools.call(
        "agents-workflow.agentWorkflowExecutions.redrive",
        { ids: [id], version: "current" },
        { principal, signal, idempotencyKey: `${idempotencyKey}-${id}`, run: step },
      );
      const report = RedriveReportSchema.parse(answer);
      const [refusal] = report.refused;
      retried.push({ id, as: report.retried[0]?.as ?? null, status: null, reason: refusal?.message ?? null });
    }
    const until = Date.now() + WAIT_MS;
    for (const run of retried) {
      if (run.as === null) continue;
      const { run: now } = await runs.outcome(principal, run.as, Math.max(0, until - Date.now()), signal);
      run.status = now.status;
    }
    return retried;
  }

  /** The newest run that tries this one again already. */
  async #retryOf(principal: Principal, id: number): Promise<number | undefined> {
    const { rows } = await this.#face.runs.reader.list(principal, {
      filter: { retryOf: id },
      sort: { field: "id", order: "DESC" },
      range: { first: 0, last: 0 },
    });
    return rows[0]?.id;
  }

  get #face(): WorkflowFace {
    return this.#services.workflowPlatform.face("agent-workflow");
  }
}

/** The definition and the decision, where exactly it was approved. */
function approvalOf({ definition, decision }: ProposalRow) {
  if (definition === null || decision === null || decision.action !== "approve") return undefined;
  return decision.definitionHash === contentHash(definition) ? { definition, decision } : undefined;
}

function notApproved(executionId: number): OvenError {
  return new OvenError("REPAIR_NOT_APPROVED", `No person has approved what run ${executionId} proposes`, {
    status: 409,
    fix: "Put builder.askRepair before this step.",
  });
}

function refused(reason: string): Applied {
  return { status: "refused", reason, publishedVersion: null, retried: [] };
}

function stale({ name, version }: Workflow): Applied {
  const reason = `Version ${version} of ${name} was published meanwhile, and the repair was proved on another`;
  return { status: "stale", reason, publishedVersion: null, retried: [] };
}
