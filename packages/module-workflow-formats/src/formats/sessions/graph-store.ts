import { notFound } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, desc, eq, sql } from "@oven/db/drizzle";
import type { Owner } from "../../shared/owner.ts";
import { RunContinuations } from "../../shared/run-continuations.ts";
import { freeSlug } from "../../shared/slug.ts";
import { sessionGraphs } from "./tables/session-graphs.table.ts";

export type GraphRow = typeof sessionGraphs.$inferSelect;
type NewGraphRow = typeof sessionGraphs.$inferInsert;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The rows of session graphs, one user's. */
export class GraphStore {
  readonly continuations: RunContinuations;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.continuations = new RunContinuations(db);
  }

  list(owner: Owner): Promise<GraphRow[]> {
    return this.#db.orm.select().from(sessionGraphs).where(of(owner)).orderBy(desc(sessionGraphs.id));
  }

  /** By its UUID or its slug. @param change it is to be changed: others wait. @throws OvenError NOT_FOUND */
  async get(owner: Owner, id: string, change = false): Promise<GraphRow> {
    const { uuid, slug } = sessionGraphs;
    const query = this.#db.orm
      .select()
      .from(sessionGraphs)
      .where(and(of(owner), UUID.test(id) ? eq(uuid, id.toLowerCase()) : eq(slug, id)));
    const [row] = await (change ? query.for("update") : query);
    if (row === undefined) throw notFound("session graph", id);
    return row;
  }

  /** By what it was compiled to. @throws OvenError NOT_FOUND */
  async byCompiled(owner: Owner, agentWorkflowId: number): Promise<GraphRow> {
    const [row] = await this.#db.orm
      .select()
      .from(sessionGraphs)
      .where(and(of(owner), eq(sessionGraphs.agentWorkflowId, agentWorkflowId)));
    if (row === undefined) throw notFound("session graph", agentWorkflowId);
    return row;
  }

  async insert(row: NewGraphRow): Promise<GraphRow> {
    const [inserted] = await this.#db.orm.insert(sessionGraphs).values(row).returning();
    if (inserted === undefined) throw new Error("an insert answered no row");
    return inserted;
  }

  async update(uuid: string, change: Pick<NewGraphRow, "name" | "spec">): Promise<GraphRow> {
    const [row] = await this.#db.orm
      .update(sessionGraphs)
      .set({ ...change, updatedAt: sql`clock_timestamp()` })
      .where(eq(sessionGraphs.uuid, uuid))
      .returning();
    if (row === undefined) throw notFound("session graph", uuid);
    return row;
  }

  async delete({ uuid, agentWorkflowId }: GraphRow): Promise<void> {
    await this.continuations.forgetRuns(agentWorkflowId);
    await this.#db.orm.delete(sessionGraphs).where(eq(sessionGraphs.uuid, uuid));
  }

  /** The graphs whose agent workflow somebody deleted. */
  async forget(agentWorkflowId: number): Promise<void> {
    await this.#db.orm.delete(sessionGraphs).where(eq(sessionGraphs.agentWorkflowId, agentWorkflowId));
  }

  /** The slug itself, or the first with a number behind it that is free. */
  async freeSlug(owner: Owner, wanted: string): Promise<string> {
    const rows = await this.#db.orm.select({ slug: sessionGraphs.slug }).from(sessionGraphs).where(of(owner));
    return freeSlug(wanted, new Set(rows.map(({ slug }) => slug)));
  }
}

const of = ({ tenantId, userId }: Owner) => and(eq(sessionGraphs.tenantId, tenantId), eq(sessionGraphs.userId, userId));
