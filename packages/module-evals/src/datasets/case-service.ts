import { type ListParams, notFound, type Principal } from "@oven/contract";
import type { EvalCase, NewEvalCase, UpdateEvalCase } from "@oven/contract/eval";
import type { Database, Orm } from "@oven/db";
import { and, eq, notInArray, sql } from "@oven/db/drizzle";
import { listRows } from "@oven/module-registry";
import { requireReadable } from "../expectations/check-expectation.ts";
import { evalCases } from "../schema.ts";
import { type CaseRow, type DatasetRow, toCase } from "./dataset-rows.ts";

/** The cases of datasets. A run has copies of its own: what changes here changes no run that has begun. */
export class CaseService {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: EvalCase[]; total: number }> {
    const { id, datasetId, name, enabled, position, createdAt, updatedAt, tenantId } = evalCases;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: evalCases,
      fields: { id, datasetId, name, enabled, position, createdAt, updatedAt },
      search: [name],
      tenant: tenantId,
    });
    return { rows: rows.map(toCase), total };
  }

  /** All of a dataset, in their order. */
  async of({ id }: Pick<DatasetRow, "id">): Promise<CaseRow[]> {
    return this.#db.orm
      .select()
      .from(evalCases)
      .where(eq(evalCases.datasetId, id))
      .orderBy(evalCases.position, evalCases.id);
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<EvalCase> {
    return toCase(await this.#row(principal, id));
  }

  /** At the end. @throws OvenError UNIQUE_VIOLATION, INVALID_EXPECTATION */
  async create(dataset: DatasetRow, body: NewEvalCase): Promise<EvalCase> {
    requireReadable(body.expectations);
    const [row] = await this.#db.orm
      .insert(evalCases)
      .values({ ...body, ...ownerOf(dataset), position: sql`${nextPosition(dataset.id)}` })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return toCase(row);
  }

  /** @throws OvenError NOT_FOUND, UNIQUE_VIOLATION, INVALID_EXPECTATION */
  async update(principal: Principal, id: number, body: UpdateEvalCase): Promise<EvalCase> {
    await this.#row(principal, id);
    const { name, input, expectations, decisions, pins, tags, enabled, position } = body;
    if (expectations !== undefined) requireReadable(expectations);
    const changed = Object.fromEntries(
      Object.entries({ name, input, expectations, decisions, pins, tags, enabled, position }).filter(
        ([, value]) => value !== undefined,
      ),
    );
    const [row] = await this.#db.orm
      .update(evalCases)
      .set({ ...changed, updatedAt: sql`now()` })
      .where(eq(evalCases.id, id))
      .returning();
    if (row === undefined) throw notFound("case", id);
    return toCase(row);
  }

  /** Results that it has stay. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#row(principal, id);
    await this.#db.orm.delete(evalCases).where(eq(evalCases.id, id));
  }

  /** Adds and changes cases by their names, in the given order; with `replace` others are deleted. @throws OvenError INVALID_EXPECTATION */
  async put(orm: Orm, dataset: DatasetRow, cases: readonly NewEvalCase[], replace: boolean): Promise<void> {
    for (const { expectations } of cases) requireReadable(expectations);
    if (replace) {
      const names = cases.map(({ name }) => name);
      await orm
        .delete(evalCases)
        .where(
          and(eq(evalCases.datasetId, dataset.id), names.length === 0 ? undefined : notInArray(evalCases.name, names)),
        );
    }
    for (const [index, one] of cases.entries()) {
      const position = replace ? sql`${index}` : sql`${nextPosition(dataset.id)}`;
      await orm
        .insert(evalCases)
        .values({ ...one, ...ownerOf(dataset), position })
        .onConflictDoUpdate({
          target: [evalCases.datasetId, evalCases.name],
          set: { ...one, ...(replace ? { position } : {}), updatedAt: sql`now()` },
        });
    }
  }

  async #row(principal: Principal, id: number): Promise<CaseRow> {
    const [row] = await this.#db.orm
      .select()
      .from(evalCases)
      .where(and(eq(evalCases.id, id), eq(evalCases.tenantId, principal.tenantId)));
    if (row === undefined) throw notFound("case", id);
    return row;
  }
}

function ownerOf({ id, tenantId }: DatasetRow) {
  return { datasetId: id, tenantId };
}

function nextPosition(datasetId: number) {
  return sql`(select coalesce(max(position) + 1, 0) from eval_cases where dataset_id = ${datasetId})`;
}
