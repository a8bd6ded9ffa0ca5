import { OvenError, type Principal } from "@oven/contract";
import type { Canary, CanaryReport, SetCanaryBody, Workflow } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import type { AuditTrail, EventService } from "@oven/module-registry";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { DraftVersions } from "../drafts/draft-versions.ts";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";
import type { KnownCanaries } from "./known-canaries.ts";

export interface CanaryServiceDeps {
  /** Of all tenants: shared workflows belong to another one than their runs. */
  db: Database;
  kind: RunKind;
  workflows: WorkflowService;
  drafts: DraftVersions;
  events: EventService;
  known: KnownCanaries;
  trail(): AuditTrail | undefined;
}

type Side = NonNullable<CanaryReport["live"]>;

interface Compared {
  workflowId: number;
  versions: readonly number[];
  since: string;
  /** Null: of all, for a workflow that tenants share. */
  tenantId: number | null;
}

/** Lets a part of the new runs of a workflow take another version, and ends that when too many of them fail. */
export class CanaryService {
  readonly #deps: CanaryServiceDeps;

  constructor(deps: CanaryServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Begins a canary, or changes the one that is under way. Runs that have begun keep their version.
   * @throws OvenError NOT_FOUND, SHARED_WORKFLOW 403, STALE_DRAFT 409, INVALID_DEFINITION 400, CANARY_IS_LIVE 409
   */
  async set(principal: Principal, idOrSlug: string, body: SetCanaryBody): Promise<CanaryReport> {
    const { workflows, drafts } = this.#deps;
    const { share, callers, rollback, note = "Candidate" } = body;
    const workflow = await workflows.getOwn(principal, idOrSlug);
    let { version } = body;
    if (version === undefined) {
      const { definition } = await drafts.toRun(principal, workflow, body.draftRevision);
      version = await workflows.addVersion(principal, idOrSlug, definition, note);
    } else await workflows.pinned(workflow.id, version);
    if (version === workflow.version) {
      throw new OvenError("CANARY_IS_LIVE", `Version ${version} of ${workflow.name} is live: all new runs take it`, {
        status: 409,
        fix: "Name another version, or a draft that differs from it.",
      });
    }
    const isUnderWay = workflow.canary?.version === version && workflow.canary.stopped === undefined;
    const began = isUnderWay ? workflow.canary : undefined;
    const canary: Canary = {
      ...{ version, share, callers, rollback },
      startedBy: began?.startedBy ?? principal.userId,
      startedAt: began?.startedAt ?? new Date().toISOString(),
    };
    await this.#change(principal, workflow, canary);
    return this.report(principal, idOrSlug);
  }

  /** All new runs take the live version again; one that its rule has stopped is put away. @throws OvenError NOT_FOUND, NO_CANARY 409 */
  async stop(principal: Principal, idOrSlug: string): Promise<CanaryReport> {
    const { workflows } = this.#deps;
    await this.#change(principal, requireCanary(await workflows.getOwn(principal, idOrSlug)), null);
    return this.report(principal, idOrSlug);
  }

  async #change(principal: Principal, workflow: Workflow, canary: Canary | null): Promise<void> {
    await this.#deps.workflows.setCanary(principal, workflow, canary);
    this.#deps.known.forget(workflow.id);
  }

  /** Whether a workflow may have a candidate; false: it has none, for sure. */
  mayHaveOne(workflowId: number): boolean {
    return this.#deps.known.mayHaveOne(workflowId);
  }

  /** Publishes the candidate as the newest version, which ends the canary. @throws OvenError NOT_FOUND, NO_CANARY 409 */
  async promote(principal: Principal, idOrSlug: string): Promise<Workflow> {
    const { workflows } = this.#deps;
    const workflow = requireCanary(await workflows.getOwn(principal, idOrSlug));
    const { version } = await workflows.pinned(workflow.id, workflow.canary.version);
    return workflows.restore(principal, idOrSlug, version.id);
  }

  /** Both versions side by side, since the canary began. @throws OvenError NOT_FOUND */
  async report(principal: Principal, idOrSlug: string): Promise<CanaryReport> {
    const workflow = await this.#deps.workflows.get(principal, idOrSlug);
    const { canary = null } = workflow;
    if (canary === null) return { canary: null, live: null, candidate: null };
    const versions = [workflow.version, canary.version];
    const sides = await this.#sides({
      ...{ workflowId: workflow.id, versions, since: canary.startedAt, tenantId: principal.tenantId },
    });
    const [live = null, candidate = null] = versions.map((one) => sides.find(({ version }) => version === one) ?? null);
    return { canary, live, candidate };
  }

  /**
   * Ends the canary of a workflow when more runs of its candidate have failed than its rule allows, or when their scores are too low. Called
   * when a run has failed or was scored; of several processes one ends it, once.
   */
  async check(workflowId: number, tenantId: number): Promise<void> {
    const { db, kind, events, trail } = this.#deps;
    const { workflows } = namesOf(kind);
    const [row] = await db.query<{ name: string; slug: string; canary: Canary | null; tenant_id: number }>(
      `select name, slug, canary, tenant_id from ${workflows} where id = $1`,
      [workflowId],
      `canary-of-${workflows}`,
    );
    const canary = row?.canary;
    if (canary == null || canary.stopped !== undefined) this.#deps.known.noteNone(workflowId);
    if (row === undefined || !canary?.rollback || canary.stopped !== undefined) return;
    const compared = { workflowId, versions: [canary.version], since: canary.startedAt, tenantId: null };
    const [side] = await this.#sides(compared);
    const why = side && whyStopped(canary.rollback, side);
    if (side === undefined || why === undefined) return;
    const ended = side.completed + side.failed;
    const ending = { at: new Date().toISOString(), why };
    const stopped = await db.transaction(async (tx) => {
      const changed = await tx.query(
        `update ${workflows} set canary = jsonb_set(canary, '{stopped}', $4::jsonb)
         where id = $1 and canary ->> 'version' = $2 and canary ->> 'startedAt' = $3 and not canary ? 'stopped' returning id`,
        [workflowId, String(canary.version), canary.startedAt, JSON.stringify(ending)],
      );
      if (changed.length === 0) return false;
      const { version, startedBy } = canary;
      await events.write(tx, [
        {
          name: `${kind.kind.namespace}.workflow.canary-stopped`,
          tenantId: row.tenant_id,
          actor: { kind: "system", id: null },
          payload: {
            id: workflowId,
            name: row.name,
            slug: row.slug,
            version,
            failed: side.failed,
            ended,
            why,
            startedBy,
          },
          orderKey: `${kind.kind.kind}:${workflowId}`,
        },
      ]);
      return true;
    });
    if (!stopped) return;
    events.wake();
    await trail()?.record({
      ...{ tenantId, action: `canary stopped: ${why}`, outcome: "done", status: null },
      ...{ errorCode: null, actorKind: "system", userId: null, keyId: null, targetType: kind.kind.resource },
      ...{ targetId: String(workflowId), targetVersion: canary.version, address: null, userAgent: null },
    });
  }

  /** Each of the versions, in their order; those without runs have zeros. */
  async #sides({ workflowId, versions, since, tenantId }: Compared): Promise<Side[]> {
    const { db, kind } = this.#deps;
    const { executions, workflowId: column } = namesOf(kind);
    const runs = await db.query<Omit<Side, "scores"> & Record<string, unknown>>(
      `select workflow_version as version, count(*)::int as starts, count(*) filter (where status = 'completed')::int as completed,
         count(*) filter (where status = 'failed')::int as failed, coalesce(sum(cost_micros), 0)::float8 as "costMicros",
         percentile_cont(0.5) within group (order by extract(epoch from completed_at - started_at) * 1000)::float8 as "medianMs"
       from ${executions} where ${column} = $1 and workflow_version = any($2::int[]) and created_at >= $3 and part is null
         and options is null and ($4::int is null or tenant_id = $4) group by workflow_version`,
      [workflowId, versions, since, tenantId],
      `canary-sides-${executions}`,
    );
    const scores = await db.query<{ version: number; name: string; count: number; mean: number }>(
      `select workflow_version as version, name, count(*)::int as count, avg(value)::float8 as mean
       from run_scores where execution_kind = $1 and workflow_id = $2 and workflow_version = any($3::int[]) and ran_at >= $4
         and ($5::int is null or tenant_id = $5) group by workflow_version, name order by name`,
      [kind.kind.kind, workflowId, versions, since, tenantId],
      "canary-scores",
    );
    return versions.map((version) => ({
      ...{ version, starts: 0, completed: 0, failed: 0, costMicros: 0, medianMs: null },
      ...runs.find((row) => row.version === version),
      scores: scores
        .filter((row) => row.version === version)
        .map(({ name, count, mean }) => ({ name, count, mean: Math.round(mean * 1_000) / 1_000 })),
    }));
  }
}

/** What its rule has against a candidate; undefined: nothing yet. */
function whyStopped(
  { failurePercent, minRuns, score }: NonNullable<Canary["rollback"]>,
  side: Side,
): string | undefined {
  const ended = side.completed + side.failed;
  if (ended >= minRuns && (side.failed / ended) * 100 > failurePercent) return `${side.failed} of ${ended} runs failed`;
  const scored = side.scores.find(({ name }) => name === score?.name);
  if (score === undefined || scored === undefined || scored.count < score.samples || scored.mean >= score.below)
    return undefined;
  return `the score ${score.name} of ${scored.count} ${scored.count === 1 ? "run" : "runs"} is ${scored.mean}`;
}

function requireCanary(workflow: Workflow): Workflow & { canary: Canary } {
  const { canary } = workflow;
  if (canary != null) return { ...workflow, canary };
  throw new OvenError("NO_CANARY", `${workflow.name} has no candidate`, {
    status: 409,
    fix: "Begin one with `PUT …/canary`.",
  });
}
