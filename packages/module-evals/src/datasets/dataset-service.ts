import { type ListParams, notFound, type Principal, toSlug } from "@oven/contract";
import type { CreateEvalDataset, EvalDataset, UpdateEvalDataset } from "@oven/contract/eval";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { listRows } from "@oven/module-registry";
import type { EvalTargets } from "../runs/eval-targets.ts";
import { evalDatasets } from "../schema.ts";
import { type DatasetRow, toDataset } from "./dataset-rows.ts";

/** Datasets as people see and change them. */
export class DatasetService {
  readonly #db: Database;
  readonly #targets: EvalTargets;

  constructor({ db, targets }: { db: Database; targets: EvalTargets }) {
    this.#db = db;
    this.#targets = targets;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: EvalDataset[]; total: number }> {
    const { id, slug, name, description, targetKind, targetId, createdAt, updatedAt, tenantId } = evalDatasets;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: evalDatasets,
      fields: { id, slug, name, kind: targetKind, targetId, createdAt, updatedAt },
      search: [name, slug, description],
      tenant: tenantId,
    });
    return { rows: await this.#shown(rows), total };
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, idOrSlug: string): Promise<EvalDataset> {
    return this.#one(await this.row(principal, idOrSlug));
  }

  async row(principal: Principal, idOrSlug: string): Promise<DatasetRow> {
    const isId = /^\d{1,15}$/.test(idOrSlug);
    const [row] = await this.#db.orm
      .select()
      .from(evalDatasets)
      .where(
        and(
          eq(evalDatasets.tenantId, principal.tenantId),
          isId ? eq(evalDatasets.id, Number(idOrSlug)) : eq(evalDatasets.slug, idOrSlug),
        ),
      );
    if (row === undefined) throw notFound("dataset", idOrSlug);
    return row;
  }

  /** @throws OvenError NOT_FOUND for the target, UNIQUE_VIOLATION */
  async create(principal: Principal, body: CreateEvalDataset): Promise<EvalDataset> {
    const { target, slug = toSlug(body.name), ...values } = body;
    const { kind, id } = await this.#targets.find(principal, target);
    const [row] = await this.#db.orm
      .insert(evalDatasets)
      .values({ ...values, slug, tenantId: principal.tenantId, targetKind: kind, targetId: id })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return this.#one(row);
  }

  /** @throws OvenError NOT_FOUND, UNIQUE_VIOLATION */
  async update(principal: Principal, idOrSlug: string, body: UpdateEvalDataset): Promise<EvalDataset> {
    const current = await this.row(principal, idOrSlug);
    const target = body.target === undefined ? undefined : await this.#targets.find(principal, body.target);
    const { name, slug, description, allowEffects, timeoutMs } = body;
    const changed = Object.fromEntries(
      Object.entries({ name, slug, description, allowEffects, timeoutMs }).filter(([, value]) => value !== undefined),
    );
    const [row] = await this.#db.orm
      .update(evalDatasets)
      .set({
        ...changed,
        ...(target === undefined ? {} : { targetKind: target.kind, targetId: target.id }),
        updatedAt: sql`now()`,
      })
      .where(eq(evalDatasets.id, current.id))
      .returning();
    if (row === undefined) throw notFound("dataset", idOrSlug);
    return this.#one(row);
  }

  /** With its cases and its evaluations; the runs of cases stay. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, idOrSlug: string): Promise<void> {
    const { id } = await this.row(principal, idOrSlug);
    await this.#db.orm.delete(evalDatasets).where(eq(evalDatasets.id, id));
  }

  async #one(row: DatasetRow): Promise<EvalDataset> {
    const [shown] = await this.#shown([row]);
    if (shown === undefined) throw notFound("dataset", row.id);
    return shown;
  }

  async #shown(rows: readonly DatasetRow[]): Promise<EvalDataset[]> {
    if (rows.length === 0) return [];
    const counted = await this.#db.query<{ id: number; cases: number }>(
      "select dataset_id as id, count(*)::int as cases from eval_cases where dataset_id = any($1::bigint[]) group by 1",
      [rows.map(({ id }) => id)],
      "eval-case-counts",
    );
    const counts = new Map(counted.map(({ id, cases }) => [Number(id), cases]));
    return rows.map((row) => toDataset(row, counts.get(row.id) ?? 0));
  }
}
