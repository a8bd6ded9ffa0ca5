import { notFound } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, desc, eq, sql } from "@oven/db/drizzle";
import type { Owner } from "../../shared/owner.ts";
import { RunContinuations } from "../../shared/run-continuations.ts";
import { routedGraphs } from "./tables/routed-graphs.table.ts";

export type RoutedRow = typeof routedGraphs.$inferSelect;
type NewRoutedRow = typeof routedGraphs.$inferInsert;

/** The rows of routed graphs, one user's, by the ids that their documents give. */
export class RoutedStore {
  readonly continuations: RunContinuations;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    this.continuations = new RunContinuations(db);
  }

  list(owner: Owner): Promise<RoutedRow[]> {
    return this.#db.orm.select().from(routedGraphs).where(of(owner)).orderBy(desc(routedGraphs.id));
  }

  /** @param change it is to be changed: others wait */
  async find(owner: Owner, graphId: string, change = false): Promise<RoutedRow | undefined> {
    const query = this.#db.orm
      .select()
      .from(routedGraphs)
      .where(and(of(owner), eq(routedGraphs.graphId, graphId)));
    const [row] = await (change ? query.for("update") : query);
    return row;
  }

  /** @throws OvenError NOT_FOUND */
  async get(owner: Owner, graphId: string, change = false): Promise<RoutedRow> {
    const row = await this.find(owner, graphId, change);
    if (row === undefined) throw notFound("routed graph", graphId);
    return row;
  }

  /** By what it was compiled to. @throws OvenError NOT_FOUND */
  async byCompiled(owner: Owner, agentWorkflowId: number): Promise<RoutedRow> {
    const [row] = await this.#db.orm
      .select()
      .from(routedGraphs)
      .where(and(of(owner), eq(routedGraphs.agentWorkflowId, agentWorkflowId)));
    if (row === undefined) throw notFound("routed graph", agentWorkflowId);
    return row;
  }

  async insert(row: NewRoutedRow): Promise<RoutedRow> {
    const [inserted] = await this.#db.orm.insert(routedGraphs).values(row).returning();
    if (inserted === undefined) throw new Error("an insert answered no row");
    return inserted;
  }

  async update({ id }: RoutedRow, change: Pick<NewRoutedRow, "name" | "spec">): Promise<RoutedRow> {
    const [row] = await this.#db.orm
      .update(routedGraphs)
      .set({ ...change, updatedAt: sql`clock_timestamp()` })
      .where(eq(routedGraphs.id, id))
      .returning();
    if (row === undefined) throw notFound("routed graph", id);
    return row;
  }

  async delete({ id, agentWorkflowId }: RoutedRow): Promise<void> {
    await this.continuations.forgetRuns(agentWorkflowId);
    await this.#db.orm.delete(routedGraphs).where(eq(routedGraphs.id, id));
  }

  /** The graphs whose agent workflow somebody deleted. */
  async forget(agentWorkflowId: number): Promise<void> {
    await this.#db.orm.delete(routedGraphs).where(eq(routedGraphs.agentWorkflowId, agentWorkflowId));
  }
}

const of = ({ tenantId, userId }: Owner) => and(eq(routedGraphs.tenantId, tenantId), eq(routedGraphs.userId, userId));
