import { type ListParams, notFound, OvenError, type Principal, SHARED_TENANT } from "@oven/contract";
import type { CreateGraphPolicy, GraphPolicy, UpdateGraphPolicy } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, eq, inArray, sql } from "@oven/db/drizzle";
import { findVisible, listRows } from "@oven/module-registry";
import { graphPolicies } from "@oven/module-registry/schema";

type Row = typeof graphPolicies.$inferSelect;

/** The stored policies. Policies of the whole installation are visible to all tenants and changed by none. */
export class PolicyRows {
  readonly #db: Database;
  readonly #onChange: () => void;

  constructor(db: Database, onChange: () => void) {
    this.#db = db;
    this.#onChange = onChange;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: GraphPolicy[]; total: number }> {
    const { id, name, severity, enabled, createdAt, updatedAt, description, tenantId } = graphPolicies;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: graphPolicies,
      fields: { id, name, severity, enabled, createdAt, updatedAt },
      search: [name, description],
      tenant: tenantId,
    });
    return { rows: rows.map(toPolicy), total };
  }

  /** The enabled policies of a tenant. */
  async enabled(tenantId: number): Promise<GraphPolicy[]> {
    const rows = await this.#db.orm
      .select()
      .from(graphPolicies)
      .where(and(inArray(graphPolicies.tenantId, [tenantId, SHARED_TENANT]), eq(graphPolicies.enabled, true)))
      .orderBy(graphPolicies.id);
    return rows.map(toPolicy);
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<GraphPolicy> {
    return toPolicy(await this.#find(principal, id));
  }

  /** @throws OvenError UNIQUE_VIOLATION 409 */
  async create(principal: Principal, body: CreateGraphPolicy): Promise<GraphPolicy> {
    const { name, description, severity, enabled, rule } = body;
    const own = { tenantId: principal.tenantId, createdBy: principal.userId };
    const values = { ...own, name, description: description ?? null, severity, enabled, rule };
    const [row] = await this.#db.orm.insert(graphPolicies).values(values).returning();
    this.#onChange();
    if (row === undefined) throw new Error("an insert answered no row");
    return toPolicy(row);
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN for one of the whole installation, UNIQUE_VIOLATION 409 */
  async update(principal: Principal, id: number, body: UpdateGraphPolicy): Promise<GraphPolicy> {
    const current = await this.#findOwn(principal, id);
    const { name = current.name, severity = current.severity, enabled = current.enabled, rule = current.rule } = body;
    const description = body.description === undefined ? current.description : body.description;
    const [row] = await this.#db.orm
      .update(graphPolicies)
      .set({ name, description, severity, enabled, rule, updatedAt: sql`now()` })
      .where(eq(graphPolicies.id, id))
      .returning();
    this.#onChange();
    if (row === undefined) throw notFound("policy", id);
    return toPolicy(row);
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN for one of the whole installation */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#findOwn(principal, id);
    await this.#db.orm.delete(graphPolicies).where(eq(graphPolicies.id, id));
    this.#onChange();
  }

  async #find(principal: Principal, id: number): Promise<Row> {
    const row = await findVisible(this.#db.orm, graphPolicies, principal, id);
    if (row === undefined) throw notFound("policy", id);
    return row;
  }

  async #findOwn(principal: Principal, id: number): Promise<Row> {
    const row = await this.#find(principal, id);
    if (row.tenantId === principal.tenantId) return row;
    throw new OvenError("FORBIDDEN", `The policy ${row.name} holds for the whole installation`, {
      status: 403,
      fix: "Make one of your own beside it.",
    });
  }
}

function toPolicy(row: Row): GraphPolicy {
  return {
    ...row,
    tenantId: row.tenantId === SHARED_TENANT ? null : row.tenantId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
