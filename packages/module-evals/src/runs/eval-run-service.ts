import { type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type { EvalResult, EvalRun, StartEvalRun } from "@oven/contract/eval";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { listRows, type ServiceMap } from "@oven/module-registry";
import type { CaseService } from "../datasets/case-service.ts";
import type { DatasetService } from "../datasets/dataset-service.ts";
import { evalResults, evalRuns } from "../schema.ts";
import type { EvalHost } from "./eval-host.ts";
import type { EvalTargets } from "./eval-targets.ts";
import { type RunRow, toResult, toRuns } from "./run-rows.ts";

export interface EvalRunServiceDeps {
  db: Database;
  services: ServiceMap;
  datasets: DatasetService;
  cases: CaseService;
  targets: EvalTargets;
  host: EvalHost;
}

/** A statement takes 65,535 values. */
const INSERTED_AT_ONCE = 1_000;

/** Starts runs of datasets, and shows what became of them. */
export class EvalRunService {
  readonly #deps: EvalRunServiceDeps;

  constructor(deps: EvalRunServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a run of a dataset with its cases as they are now; once this answered, it is never lost.
   * @throws OvenError NOT_FOUND, FORBIDDEN, EVAL_WITHOUT_CASES 422
   */
  async start(principal: Principal, idOrSlug: string, body: StartEvalRun): Promise<EvalRun> {
    const { db, datasets, cases, targets, host } = this.#deps;
    const dataset = await datasets.row(principal, idOrSlug);
    const { tags } = body;
    const wanted = (await cases.of(dataset)).filter(
      (one) => one.enabled && (tags === undefined || one.tags.some((tag) => tags.includes(tag))),
    );
    if (wanted.length === 0)
      throw new OvenError(
        "EVAL_WITHOUT_CASES",
        `${dataset.name} has no enabled case${tags ? " with these tags" : ""}`,
        {
          status: 422,
          fix: "Add a case, or enable one.",
        },
      );
    const wish = { kind: dataset.targetKind, id: body.target ?? dataset.targetId };
    const target = await targets.find(principal, wish);
    const targetVersion = await targets.requireRunnable(principal, target, body.version);
    const run = await db.transaction(async (tx) => {
      const [row] = await tx.orm
        .insert(evalRuns)
        .values({
          ...{ tenantId: dataset.tenantId, datasetId: dataset.id, datasetSlug: dataset.slug },
          ...{ targetKind: target.kind, targetId: target.id, targetVersion, principal },
          ...{ allowEffects: dataset.allowEffects, timeoutMs: dataset.timeoutMs },
          ...{ mode: body.mode, concurrency: body.concurrency },
          recording: body.mode === "live" ? null : (body.recording ?? dataset.slug),
        })
        .returning();
      if (row === undefined) throw new Error("an insert answered no row");
      const copies = wanted.map((one) => ({
        ...{ tenantId: dataset.tenantId, runId: row.id, caseId: one.id, caseName: one.name, checks: [] },
        ...{ input: one.input, expectations: one.expectations, decisions: one.decisions },
        ...{ pins: one.pins, tags: one.tags, position: one.position },
      }));
      for (let first = 0; first < copies.length; first += INSERTED_AT_ONCE)
        await tx.orm.insert(evalResults).values(copies.slice(first, first + INSERTED_AT_ONCE));
      return row;
    });
    host.wake();
    return this.#one(run);
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: EvalRun[]; total: number }> {
    const { id, datasetId, status, mode, targetKind, targetId, targetVersion, recording, createdAt, endedAt } =
      evalRuns;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: evalRuns,
      fields: {
        ...{ id, datasetId, status, mode, kind: targetKind, targetId, version: targetVersion },
        ...{ recording, createdAt, endedAt },
      },
      tenant: evalRuns.tenantId,
    });
    return { rows: await toRuns(this.#deps.db, rows), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<EvalRun> {
    return this.#one(await this.#row(principal, id));
  }

  /** In the order of the cases. @throws OvenError NOT_FOUND */
  async results(principal: Principal, id: number, params: ListParams): Promise<{ rows: EvalResult[]; total: number }> {
    await this.#row(principal, id);
    const { runId, position, caseName, caseId, status, score, tokens, costMicros, durationMs, tenantId } = evalResults;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: evalResults,
      fields: { id: evalResults.id, position, caseName, caseId, status, score, tokens, costMicros, durationMs },
      search: [caseName],
      tenant: tenantId,
      where: eq(runId, id),
    });
    return { rows: rows.map(toResult), total };
  }

  /** All of a run. @throws OvenError NOT_FOUND */
  async allResults(principal: Principal, id: number): Promise<EvalResult[]> {
    await this.#row(principal, id);
    const rows = await this.#deps.db.orm
      .select()
      .from(evalResults)
      .where(eq(evalResults.runId, id))
      .orderBy(evalResults.position, evalResults.id);
    return rows.map(toResult);
  }

  /** Its open cases end as errors, and their runs are cancelled. @throws OvenError NOT_FOUND, ALREADY_ENDED 409 */
  async cancel(principal: Principal, id: number): Promise<EvalRun> {
    const { db, services, host } = this.#deps;
    await this.#row(principal, id);
    const open = await db.transaction(async (tx) => {
      const ended = await tx.query(
        `update eval_runs set status = 'cancelled', ended_at = now(), claimed_until = null
         where id = $1 and status in ('queued', 'running') returning id`,
        [id],
      );
      if (ended.length === 0)
        throw new OvenError("ALREADY_ENDED", `Evaluation ${id} has ended already`, { status: 409 });
      return tx.query<{ execution_id: number | null; execution_kind: "workflow" | "agent-workflow" | null }>(
        `update eval_results set status = 'error', error = $2, ended_at = now()
         where run_id = $1 and status in ('pending', 'running') returning execution_id, execution_kind`,
        [id, JSON.stringify({ code: "CANCELLED", message: "The evaluation was cancelled" })],
      );
    });
    host.drop(id);
    for (const { execution_id, execution_kind } of open) {
      if (execution_id === null || execution_kind === null) continue;
      await services.workflowPlatform
        .face(execution_kind)
        .runs.sendCancel(execution_id, "its evaluation was cancelled", "system");
    }
    return this.get(principal, id);
  }

  /** With its results; the runs of its cases stay. @throws OvenError NOT_FOUND, STILL_RUNNING 409 */
  async delete(principal: Principal, id: number): Promise<void> {
    const { status } = await this.#row(principal, id);
    if (status === "queued" || status === "running")
      throw new OvenError("STILL_RUNNING", `Evaluation ${id} has not ended`, { status: 409, fix: "Cancel it first." });
    await this.#deps.db.orm.delete(evalRuns).where(eq(evalRuns.id, id));
  }

  async #row(principal: Principal, id: number): Promise<RunRow> {
    const [row] = await this.#deps.db.orm
      .select()
      .from(evalRuns)
      .where(and(eq(evalRuns.id, id), eq(evalRuns.tenantId, principal.tenantId)));
    if (row === undefined) throw notFound("evaluation", id);
    return row;
  }

  async #one(row: RunRow): Promise<EvalRun> {
    const [run] = await toRuns(this.#deps.db, [row]);
    if (run === undefined) throw notFound("evaluation", row.id);
    return run;
  }
}
