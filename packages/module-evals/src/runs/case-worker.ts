import { isOvenError, type Principal } from "@oven/contract";
import type { ScriptedDecision } from "@oven/contract/eval";
import type { Decision, Review } from "@oven/contract/review";
import { type ExecutionKind, isTerminal } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, eq, inArray, sql } from "@oven/db/drizzle";
import type {} from "@oven/module-ai";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { type CaseVerdict, judgeCase } from "../expectations/judge-case.ts";
import { seeRun } from "../expectations/seen-run.ts";
import { evalResults } from "../schema.ts";
import type { EvalTargets } from "./eval-targets.ts";
import type { ResultRow, RunRow } from "./run-rows.ts";

const LOOK_MS = 5_000;
const MOST_CHILDREN = 1_000;

export interface CaseWorkerDeps {
  db: Database;
  services: ServiceMap;
  targets: EvalTargets;
}

/** Takes one case to its result. Whatever crashes between, its run is started once and its result written once. */
export class CaseWorker {
  readonly #deps: CaseWorkerDeps;

  constructor(deps: CaseWorkerDeps) {
    this.#deps = deps;
  }

  /** Never throws but for a database that does not answer: what went wrong is the result. Returns early when aborted. */
  async work(run: RunRow, result: ResultRow, signal: AbortSignal): Promise<void> {
    await this.#deps.db.query(
      "update eval_results set status = 'running', started_at = coalesce(started_at, now()) where id = $1 and status in ('pending', 'running')",
      [result.id],
    );
    let verdict: CaseVerdict | undefined;
    try {
      verdict = await this.#toVerdict(run, result, signal);
    } catch (error) {
      if (signal.aborted) return;
      const code = isOvenError(error) ? error.code : "INTERNAL";
      verdict = toFailure({ code, message: error instanceof Error ? error.message : String(error) });
    }
    if (verdict !== undefined) await this.#write(result.id, verdict);
  }

  async #toVerdict(run: RunRow, result: ResultRow, signal: AbortSignal): Promise<CaseVerdict | undefined> {
    const { services } = this.#deps;
    const { principal } = run;
    const { kind, id } = await this.#started(run, result);
    const { runs } = services.workflowPlatform.face(kind);
    const reviews = await this.#follow(run, result, kind, id, signal);
    if (signal.aborted || reviews === undefined) return undefined;
    const isLate = reviews === "late";
    const seen = await seeRun(services, principal, kind, id, isLate ? [] : reviews);
    // What nobody will answer is not left for people to find.
    if (!isTerminal(seen.execution.status)) await runs.sendCancel(id, "its evaluation has ended", "system");
    if (isLate) return toFailure({ code: "CASE_TIMEOUT", message: `Not done within ${run.timeoutMs} ms` });
    return judgeCase(result.expectations, seen, (index) => ({
      services,
      signal,
      caller: {
        tenantId: principal.tenantId,
        userId: principal.userId,
        executionId: id,
        ...(run.recording === null || run.mode === "live"
          ? {}
          : { recording: { name: run.recording, mode: run.mode, callKey: `${scopeOf(run, result)}/judge:${index}` } }),
      },
    }));
  }

  /** Its execution; after a crash the one that was started before. */
  async #started(run: RunRow, result: ResultRow): Promise<{ kind: ExecutionKind; id: number }> {
    const { executionKind, executionId } = result;
    if (executionKind !== null && executionId !== null) return { kind: executionKind, id: executionId };
    const { db, targets } = this.#deps;
    const started = await targets.start(run.principal, {
      target: { kind: run.targetKind, id: run.targetId, version: run.targetVersion },
      input: result.input,
      options: {
        ...(result.pins === null ? {} : { pins: result.pins }),
        ...(run.allowEffects ? {} : { refuseEffects: true }),
        ...(run.recording === null || run.mode === "live"
          ? {}
          : { recording: { name: run.recording, mode: run.mode, scope: scopeOf(run, result) } }),
      },
      key: `eval:${result.id}`,
    });
    await db.query("update eval_results set execution_kind = $2, execution_id = $3 where id = $1", [
      result.id,
      started.kind,
      started.id,
    ]);
    return started;
  }

  /**
   * Waits for the end, and answers for people what the case has decisions for.
   * @returns the reviews that are left open; `late`: it took too long; undefined: aborted
   */
  async #follow(
    { principal, timeoutMs }: RunRow,
    { id: resultId, decisions }: ResultRow,
    kind: ExecutionKind,
    id: number,
    signal: AbortSignal,
  ): Promise<Review[] | "late" | undefined> {
    const { services } = this.#deps;
    const { reviews } = services.workflowPlatform;
    const { runs } = services.workflowPlatform.face(kind);
    while (!signal.aborted) {
      const settled = await runs.settle(principal, id, LOOK_MS, signal);
      if (settled) {
        const open = isTerminal((await runs.reader.summary(principal, id)).status)
          ? []
          : await reviews.open(principal, id);
        const next = open.flatMap((review) => {
          const decision = decisionFor(review, decisions);
          return decision === undefined ? [] : [{ review, decision }];
        });
        if (next.length === 0 && (await this.#isResting(principal, id, signal))) return open;
        if (next.length > 0) requirePermission(principal, "reviews.decide");
        for (const { review, decision } of next) await reviews.decide(principal, review.id, decision);
      }
      if (await this.#isLate(resultId, timeoutMs)) return "late";
    }
    return undefined;
  }

  /** Whether the runs inside it stand still as well: their parent learns a moment later that they go on. */
  async #isResting(principal: Principal, rootId: number, signal: AbortSignal): Promise<boolean> {
    for (const kind of ["workflow", "agent-workflow"] as const) {
      const { runs } = this.#deps.services.workflowPlatform.face(kind);
      const family = await runs.reader.list(principal, {
        filter: { rootId, status: ["pending", "running", "paused"] },
        sort: { field: "id", order: "ASC" },
        range: { first: 0, last: MOST_CHILDREN - 1 },
      });
      for (const { id } of family.rows) {
        if (id === rootId || (await runs.settle(principal, id, 0, signal))) continue;
        await runs.settle(principal, id, LOOK_MS, signal);
        return false;
      }
    }
    return true;
  }

  async #isLate(resultId: number, timeoutMs: number): Promise<boolean> {
    const [row] = await this.#deps.db.query<{ late: boolean }>(
      "select started_at + make_interval(secs => $2) < now() as late from eval_results where id = $1",
      [resultId, timeoutMs / 1_000],
    );
    return row?.late ?? true;
  }

  /** Once: of two that judged the same case, the second changes nothing. */
  async #write(id: number, { status, ...verdict }: CaseVerdict): Promise<void> {
    await this.#deps.db.orm
      .update(evalResults)
      .set({ ...verdict, status, endedAt: sql`now()` })
      .where(and(eq(evalResults.id, id), inArray(evalResults.status, ["pending", "running"])));
  }
}

/** Of those that fit, the n-th for the n-th visit. */
function decisionFor(
  { nodeId, tool, visit, digest }: Review,
  decisions: readonly ScriptedDecision[],
): Decision | undefined {
  const fitting = decisions.filter(
    (one) => (one.node === undefined || one.node === nodeId) && (one.tool === undefined || one.tool === tool),
  );
  const found = fitting[visit - 1];
  if (found === undefined) return undefined;
  const { action, data, reason } = found;
  return { action, digest, ...(data === undefined ? {} : { data }), ...(reason === undefined ? {} : { reason }) };
}

/** The same in every run of the dataset. */
function scopeOf({ datasetSlug }: RunRow, { caseName }: ResultRow): string {
  return `${datasetSlug}/${caseName}`;
}

function toFailure(error: { code: string; message: string }): CaseVerdict {
  return {
    ...{ status: "error", score: null, checks: [], error, output: null },
    ...{ tokens: 0, costMicros: 0, durationMs: null },
  };
}
