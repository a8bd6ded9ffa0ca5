import { type ListParams, notFound, OvenError, type Principal, SHARED_TENANT } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import type { PgColumn, PgTable } from "@oven/db/pg-core";
import { findVisible, listRows } from "@oven/module-registry";

type OwnedTable = PgTable & { id: PgColumn; tenantId: PgColumn };

interface Rows<Table extends OwnedTable, View> {
  table: Table;
  /** What one row is called: `budget`. */
  noun: string;
  /** What lists may be filtered and sorted by. */
  fields: Record<string, PgColumn>;
  search: PgColumn[];
  toView(row: Table["$inferSelect"]): View;
  /** What is wrong with a whole row; undefined when nothing is. */
  problem?(row: Table["$inferSelect"]): string | undefined;
}

/** Rows that tenants set up for themselves, with shared ones that they see and do not change. */
export class TenantRows<Table extends OwnedTable, View> {
  readonly #db: Database;
  readonly #rows: Rows<Table, View>;

  constructor(db: Database, rows: Rows<Table, View>) {
    this.#db = db;
    this.#rows = rows;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: View[]; total: number }> {
    const { table, fields, search, toView } = this.#rows;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table,
      fields,
      search,
      tenant: table.tenantId,
    });
    return { rows: rows.map(toView), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<View> {
    return this.#rows.toView(await this.#find(principal, id));
  }

  /** @throws OvenError INVALID_REQUEST, UNIQUE_VIOLATION 409 */
  async create(principal: Principal, values: Record<string, unknown>): Promise<View> {
    this.#refuse(values);
    const [row] = await this.#db.orm
      .insert(this.#rows.table as PgTable) // cast: drizzle's insert types do not follow a generic table
      .values({ ...values, tenantId: principal.tenantId } as never) // cast: values of the table's own create schema
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return this.#rows.toView(row as Table["$inferSelect"]); // cast: a whole row of the table
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN for a shared row, INVALID_REQUEST when the whole would not hold, UNIQUE_VIOLATION 409 */
  async update(principal: Principal, id: number, values: Record<string, unknown>): Promise<View> {
    const current = await this.#findOwn(principal, id);
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    this.#refuse({ ...current, ...given });
    const [row] = await this.#db.orm
      .update(this.#rows.table as PgTable) // cast: as above
      .set({ ...given, updatedAt: sql`now()` })
      .where(this.#own(principal, id))
      .returning();
    if (row === undefined) throw notFound(this.#rows.noun, id);
    return this.#rows.toView(row as Table["$inferSelect"]); // cast: as above
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN for a shared row */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#findOwn(principal, id);
    await this.#db.orm.delete(this.#rows.table).where(this.#own(principal, id));
  }

  #refuse(row: Record<string, unknown>): void {
    const problem = this.#rows.problem?.(row as Table["$inferSelect"]); // cast: with all that makes a row whole
    if (problem !== undefined)
      throw new OvenError("INVALID_REQUEST", problem, { status: 422, fix: "Change the fields that do not fit" });
  }

  async #find(principal: Principal, id: number): Promise<Table["$inferSelect"]> {
    const { table, noun } = this.#rows;
    const row = await findVisible(this.#db.orm, table, principal, id);
    if (row === undefined) throw notFound(noun, id);
    return row;
  }

  async #findOwn(principal: Principal, id: number): Promise<Table["$inferSelect"]> {
    const row = await this.#find(principal, id);
    if (row.tenantId === principal.tenantId && row.tenantId !== SHARED_TENANT) return row;
    throw new OvenError("FORBIDDEN", `This ${this.#rows.noun} holds for the whole installation`, {
      status: 403,
      fix: "Make one of your own: it comes first.",
    });
  }

  #own(principal: Principal, id: number) {
    const { table } = this.#rows;
    return and(eq(table.id, id), eq(table.tenantId, principal.tenantId));
  }
}

interface Stamped {
  tenantId: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What every row shows of itself. */
export function toStamps(row: Stamped): { tenantId: number | null; createdAt: string; updatedAt: string } {
  return {
    tenantId: row.tenantId === SHARED_TENANT ? null : row.tenantId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
