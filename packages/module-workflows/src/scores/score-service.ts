import { notFound, OvenError, type Principal } from "@oven/contract";
import type { ExecutionKind, NewOutcome, NewRunScore, RunScore, ScoreSource, ScoreSummary } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, asc, count, eq, gt, inArray, sql } from "@oven/db/drizzle";
import { visibleTo } from "@oven/module-registry";
import type { ExecutionReader } from "../executions/execution-reader.ts";
import { runScores } from "../tables/shared-run-tables.ts";
import { findByInput } from "./find-by-input.ts";
import type { Scorer } from "./scorer.ts";

/** Scores of one run: names are free, so their number is bounded. */
const MOST_OF_RUN = 200;
const MOST_GROUPS = 5_000;

export interface ScoreServiceDeps {
  db: Database;
  /** @throws OvenError NOT_FOUND when the principal may not see the workflow */
  requireWorkflow(
    principal: Principal,
    kind: ExecutionKind,
    idOrSlug: string,
  ): Promise<{ id: number; version: number }>;
  readerOf(kind: ExecutionKind): Pick<ExecutionReader, "row" | "withInput">;
  /** @throws OvenError NOT_FOUND */
  kindOf(executionId: number): Promise<ExecutionKind>;
  /** A run of a workflow was scored. */
  onScored(kind: ExecutionKind, workflowId: number, tenantId: number): Promise<void>;
}

type ScoreRow = typeof runScores.$inferSelect;

/** What is known of a version by the scores of its runs. */
export interface ScoresOfVersion {
  count: number;
  /** Null: there is none. */
  mean: number | null;
}

/**
 * Scores of runs: thumbs, judges' verdicts and outcomes, also days after a run has ended. One that gives a score of a name again
 * replaces what it gave before. They go when their run does.
 */
export class ScoreService {
  readonly #deps: ScoreServiceDeps;

  constructor(deps: ScoreServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Gives a run a score, or replaces the one that this scorer gave.
   * @throws OvenError NOT_FOUND also when retention has removed the run, FORBIDDEN when a run is about itself, TOO_MANY_SCORES 409
   */
  async add(
    principal: Principal,
    kind: ExecutionKind,
    executionId: number,
    { name, value, comment = null }: NewRunScore,
    by: Scorer,
  ): Promise<RunScore> {
    const { db, readerOf } = this.#deps;
    const run = await readerOf(kind).row(principal, executionId);
    requireOther(by, `${kind}:${run.workflowId}`, run.rootId ?? run.id);
    await this.#requireRoom(executionId, name, by.scorer);
    const said = { value, comment: comment || null, source: by.source, userId: by.userId };
    const about = {
      executionId,
      executionKind: kind,
      workflowId: run.workflowId,
      workflowVersion: run.workflowVersion,
    };
    const values = { tenantId: run.tenantId, ...about, ranAt: run.createdAt, name, scorer: by.scorer, ...said };
    const [row] = await db.orm
      .insert(runScores)
      .values(values)
      .onConflictDoUpdate({
        target: [runScores.executionId, runScores.name, runScores.scorer],
        set: { ...said, updatedAt: sql`now()` },
      })
      .returning();
    if (row === undefined) throw notFound("execution", executionId);
    await this.#deps.onScored(kind, run.workflowId, run.tenantId);
    return this.#one(row, by.scorer);
  }

  /** As `add`, where only the id of the run is known. */
  async addToRun(principal: Principal, executionId: number, score: NewRunScore, by: Scorer): Promise<RunScore> {
    return this.add(principal, await this.#deps.kindOf(executionId), executionId, score, by);
  }

  /**
   * Gives the newest run of a workflow whose input has a value a score.
   * @throws OvenError NOT_FOUND when there is none, or none any more; otherwise as `add`
   */
  async addOutcome(
    principal: Principal,
    kind: ExecutionKind,
    workflow: string,
    { correlation, ...score }: NewOutcome,
    by: Scorer,
  ): Promise<RunScore> {
    const { readerOf, requireWorkflow } = this.#deps;
    const { id } = await requireWorkflow(principal, kind, workflow);
    const run = await findByInput(readerOf(kind), principal, id, correlation);
    if (run === undefined) throw notFound("run with this input", `${correlation.field} = ${correlation.value}`);
    return this.add(principal, kind, run, score, by);
  }

  /** Of a run, in the order of their names. @throws OvenError NOT_FOUND */
  async list(principal: Principal, kind: ExecutionKind, executionId: number, me: string): Promise<RunScore[]> {
    await this.#deps.readerOf(kind).row(principal, executionId);
    const rows = await this.#deps.db.orm
      .select()
      .from(runScores)
      .where(and(visibleTo(principal, runScores.tenantId), eq(runScores.executionId, executionId)))
      .orderBy(asc(runScores.name), asc(runScores.id));
    return this.#show(rows, me);
  }

  /** What one scorer gave these runs under one name, by run. */
  async ofScorer(
    principal: Principal,
    executionIds: readonly number[],
    name: string,
    scorer: string,
  ): Promise<RunScore[]> {
    if (executionIds.length === 0) return [];
    const rows = await this.#deps.db.orm
      .select()
      .from(runScores)
      .where(
        and(
          visibleTo(principal, runScores.tenantId),
          inArray(runScores.executionId, [...executionIds]),
          eq(runScores.name, name),
          eq(runScores.scorer, scorer),
        ),
      );
    return this.#show(rows, scorer);
  }

  /** Takes back a score that this scorer gave. @throws OvenError NOT_FOUND also for those of others */
  async remove(principal: Principal, kind: ExecutionKind, executionId: number, id: number, me: string): Promise<void> {
    await this.#deps.readerOf(kind).row(principal, executionId);
    const removed = await this.#deps.db.orm
      .delete(runScores)
      .where(
        and(
          visibleTo(principal, runScores.tenantId),
          eq(runScores.executionId, executionId),
          eq(runScores.id, id),
          eq(runScores.scorer, me),
        ),
      )
      .returning({ id: runScores.id });
    if (removed.length === 0) throw notFound("score of yours", id);
  }

  /**
   * By name, version and day (UTC) on which the runs began, the newest day first; tests of drafts are left out.
   * @throws OvenError NOT_FOUND
   */
  async summary(principal: Principal, kind: ExecutionKind, workflow: string, days: number): Promise<ScoreSummary[]> {
    const { id } = await this.#deps.requireWorkflow(principal, kind, workflow);
    const day = sql<string>`to_char(${runScores.ranAt} at time zone 'UTC', 'YYYY-MM-DD')`;
    const rows = await this.#deps.db.orm
      .select({
        name: runScores.name,
        version: runScores.workflowVersion,
        day: day.as("day"),
        count: count(),
        mean: sql<number>`avg(${runScores.value})`.mapWith(Number),
        up: sql<number>`count(*) filter (where ${runScores.value} > 0.5)`.mapWith(Number),
        down: sql<number>`count(*) filter (where ${runScores.value} < 0.5)`.mapWith(Number),
      })
      .from(runScores)
      .where(this.#of(principal, kind, id, days))
      .groupBy(runScores.name, runScores.workflowVersion, sql`3`)
      .orderBy(sql`3 desc`, asc(runScores.name), asc(runScores.workflowVersion))
      .limit(MOST_GROUPS);
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  }

  /** What the scores of one name say of one version in the last days. */
  async ofVersion(
    principal: Principal,
    {
      kind,
      workflowId,
      version,
      name,
      days,
    }: {
      kind: ExecutionKind;
      workflowId: number;
      version: number;
      name: string;
      days: number;
    },
  ): Promise<ScoresOfVersion> {
    const [row] = await this.#deps.db.orm
      .select({ count: count(), mean: sql<number | null>`avg(${runScores.value})` })
      .from(runScores)
      .where(
        and(
          this.#of(principal, kind, workflowId, days),
          eq(runScores.workflowVersion, version),
          eq(runScores.name, name),
        ),
      );
    return { count: Number(row?.count ?? 0), mean: row?.mean == null ? null : Number(row.mean) };
  }

  #of(principal: Principal, kind: ExecutionKind, workflowId: number, days: number) {
    return and(
      visibleTo(principal, runScores.tenantId),
      eq(runScores.executionKind, kind),
      eq(runScores.workflowId, workflowId),
      gt(runScores.workflowVersion, 0),
      sql`${runScores.ranAt} >= now() - make_interval(days => ${days}::int)`,
    );
  }

  async #requireRoom(executionId: number, name: string, scorer: string): Promise<void> {
    const [row] = await this.#deps.db.query<{ n: number }>(
      "select count(*)::int as n from run_scores where execution_id = $1 and not (name = $2 and scorer = $3)",
      [executionId, name, scorer],
      "scores-of-run",
    );
    if ((row?.n ?? 0) < MOST_OF_RUN) return;
    throw new OvenError("TOO_MANY_SCORES", `Execution ${executionId} has ${MOST_OF_RUN} scores`, {
      status: 409,
      fix: "Use a name again: a score of the same name replaces the one that was given before.",
    });
  }

  async #one(row: ScoreRow, me: string): Promise<RunScore> {
    const [shown] = await this.#show([row], me);
    if (shown === undefined) throw notFound("score", row.id);
    return shown;
  }

  async #show(rows: readonly ScoreRow[], me: string): Promise<RunScore[]> {
    const people = [...new Set(rows.flatMap(({ userId }) => userId ?? []))];
    const found =
      people.length === 0
        ? []
        : await this.#deps.db.query<{ id: number; name: string }>(
            "select id, name from users where id = any($1::bigint[])",
            [people],
            "names-of-users",
          );
    const nameOf = new Map(found.map(({ id, name }) => [Number(id), name]));
    return rows.map(({ id, executionId, executionKind, name, value, comment, source, scorer, userId, ...at }) => ({
      ...{ id, executionId, name, value, comment, scorer, mine: scorer === me },
      executionKind: executionKind as ExecutionKind, // cast: only this service writes it
      source: source as ScoreSource, // cast: as above
      scorerName: userId === null ? null : (nameOf.get(userId) ?? null),
      createdAt: at.createdAt.toISOString(),
      updatedAt: at.updatedAt.toISOString(),
    }));
  }
}

/** A workflow that could score its own runs would make up what policies rely on. */
function requireOther(by: Scorer, workflow: string, root: number): void {
  if (by.run === undefined || (by.run.workflow !== workflow && by.run.rootExecutionId !== root)) return;
  throw new OvenError("FORBIDDEN", "A workflow does not score its own runs", {
    status: 403,
    fix: "Let another workflow, a person, a judge or the API give the score.",
  });
}
