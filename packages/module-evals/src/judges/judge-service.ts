import { type ListParams, notFound, type Principal } from "@oven/contract";
import type { NewScoreJudge, ScoreJudge, UpdateScoreJudge } from "@oven/contract/eval";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { listRows, type ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-workflows";
import { requireReadable } from "../expectations/check-expectation.ts";
import { scoreJudges } from "../schema.ts";
import type { JudgedWorkflows } from "./judged-workflows.ts";

export type JudgeRow = typeof scoreJudges.$inferSelect;

interface Facts extends Record<string, unknown> {
  judge_id: number;
  scored: number;
  waiting: number;
  failed: number;
}

interface LastError extends Record<string, unknown> {
  judge_id: number;
  execution_id: number;
  error_code: string;
  error_message: string;
}

/** Judges of real runs, as people see and change them. */
export class JudgeService {
  readonly #db: Database;
  readonly #services: ServiceMap;
  readonly #known: JudgedWorkflows;

  constructor(deps: { db: Database; services: ServiceMap; known: JudgedWorkflows }) {
    this.#db = deps.db;
    this.#services = deps.services;
    this.#known = deps.known;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: ScoreJudge[]; total: number }> {
    const { id, name, targetKind, targetId, enabled, createdAt, updatedAt, tenantId } = scoreJudges;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: scoreJudges,
      fields: { id, name, kind: targetKind, targetId, enabled, createdAt, updatedAt },
      search: [name],
      tenant: tenantId,
    });
    return { rows: await this.#shown(rows), total };
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<ScoreJudge> {
    return this.#one(await this.#row(principal, id));
  }

  /** @throws OvenError NOT_FOUND for the workflow, INVALID_EXPECTATION for the path, UNIQUE_VIOLATION */
  async create(principal: Principal, { target, ...body }: NewScoreJudge): Promise<ScoreJudge> {
    const { rubric, path, model } = body;
    requireReadable([{ type: "judge", rubric, path, model, threshold: 0 }]);
    const { workflows } = this.#services.workflowPlatform.face(target.kind);
    const { id } = await workflows.get(principal, String(target.id));
    const { tenantId, userId } = principal;
    const about = { tenantId, targetKind: target.kind, targetId: id, createdBy: userId };
    const [row] = await this.#db.orm
      .insert(scoreJudges)
      .values({ ...body, ...about })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    this.#known.forget();
    return this.#one(row);
  }

  /** What is left out stays. @throws OvenError NOT_FOUND, INVALID_EXPECTATION */
  async update(principal: Principal, id: number, body: UpdateScoreJudge): Promise<ScoreJudge> {
    const current = await this.#row(principal, id);
    const { rubric, path, model, percent, maxPerDay, enabled } = body;
    const changed = Object.fromEntries(
      Object.entries({ rubric, path, model, percent, maxPerDay, enabled }).filter(([, value]) => value !== undefined),
    );
    const { rubric: text, path: part, model: by } = { ...current, ...changed };
    requireReadable([{ type: "judge", rubric: text, path: part, model: by, threshold: 0 }]);
    const [row] = await this.#db.orm
      .update(scoreJudges)
      .set({ ...changed, updatedAt: sql`now()` })
      .where(eq(scoreJudges.id, id))
      .returning();
    if (row === undefined) throw notFound("judge", id);
    this.#known.forget();
    return this.#one(row);
  }

  /** The scores that it gave stay. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#row(principal, id);
    await this.#db.orm.delete(scoreJudges).where(eq(scoreJudges.id, id));
    this.#known.forget();
  }

  async #row({ tenantId }: Principal, id: number): Promise<JudgeRow> {
    const mine = and(eq(scoreJudges.id, id), eq(scoreJudges.tenantId, tenantId));
    const [row] = await this.#db.orm.select().from(scoreJudges).where(mine);
    if (row === undefined) throw notFound("judge", id);
    return row;
  }

  async #one(row: JudgeRow): Promise<ScoreJudge> {
    const [shown] = await this.#shown([row]);
    if (shown === undefined) throw notFound("judge", row.id);
    return shown;
  }

  async #shown(rows: readonly JudgeRow[]): Promise<ScoreJudge[]> {
    if (rows.length === 0) return [];
    const ids = [rows.map(({ id }) => id)];
    const facts = await this.#db.query<Facts>(
      `select judge_id, count(*) filter (where status = 'scored')::int as scored,
         count(*) filter (where status = 'waiting')::int as waiting, count(*) filter (where status = 'failed')::int as failed
       from score_judgements where judge_id = any($1::bigint[]) and created_at > now() - interval '1 day' group by 1`,
      ids,
      "judge-days",
    );
    const errors = await this.#db.query<LastError>(
      `select distinct on (judge_id) judge_id, execution_id, error_code, error_message from score_judgements
       where judge_id = any($1::bigint[]) and error_code is not null order by judge_id, created_at desc, execution_id desc`,
      ids,
      "judge-errors",
    );
    const factsOf = new Map(facts.map((row) => [Number(row.judge_id), row]));
    const errorOf = new Map(errors.map((row) => [Number(row.judge_id), row]));
    return rows.map(({ tenantId: _tenantId, targetKind, targetId, createdAt, updatedAt, ...row }) => {
      const { scored = 0, waiting = 0, failed = 0 } = factsOf.get(row.id) ?? {};
      const error = errorOf.get(row.id);
      return {
        ...row,
        target: { kind: targetKind, id: targetId },
        today: { scored, waiting, failed },
        lastError:
          error === undefined
            ? null
            : { code: error.error_code, message: error.error_message, executionId: Number(error.execution_id) },
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      };
    });
  }
}
