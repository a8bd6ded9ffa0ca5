import { DEFAULT_TENANT, notFound, OvenError, type Principal } from "@oven/contract";
import type { ErasedTenant, TenantExport } from "@oven/contract/access";
import type { Database, Queryable } from "@oven/db";
import { requireConfirmed } from "../persons/person-service.ts";
import { streamRows } from "../persons/stream-rows.ts";
import { listTenantTables, RETAINED_TABLES } from "./tenant-tables.ts";

/** Rows that one statement removes, with what depends on them. */
const BATCH = 2_000;
/** What was in flight may write once more. */
const MOST_PASSES = 10;

interface TenantRow extends Record<string, unknown> {
  id: number;
  name: string;
}

/** Exports and erases whole tenants, for users of the first one. */
export class TenantEraser {
  readonly #db: Database;

  /** @param db the one without row-level security, because its work is about other tenants */
  constructor(db: Database) {
    this.#db = db;
  }

  /** Every row of a tenant but secrets, as one document of the shape `TenantExport`, piece by piece. @throws OvenError NOT_FOUND */
  async export(principal: Principal, id: number): Promise<AsyncGenerator<string, void>> {
    return this.#write(await find(this.#db, principal, id));
  }

  /**
   * Erases a tenant and every row of it, in batches: its people and keys are shut out first, its triggers and runs go before what
   * they work with. What stopped half-way goes on when it is asked for again. The audit log stays.
   * @param confirm the tenant's name again
   * @throws OvenError NOT_FOUND, CONFIRMATION_WRONG 422, TENANT_IS_FIRST 422, TENANT_IN_USE 409
   */
  async erase(principal: Principal, id: number, confirm: string): Promise<ErasedTenant> {
    const tenant = await find(this.#db, principal, id);
    if (id === DEFAULT_TENANT) {
      throw new OvenError("TENANT_IS_FIRST", "The first tenant manages the others and cannot be erased", {
        status: 422,
      });
    }
    requireConfirmed(confirm, tenant.name, "$.confirm");
    await this.#db.query("update tenants set disabled_at = coalesce(disabled_at, now()) where id = $1", [id]);
    await this.#db.query("delete from sessions where tenant_id = $1", [id]);
    const tables = (await listTenantTables(this.#db)).filter(({ name }) => !RETAINED_TABLES.includes(name));
    const erased = new Map<string, number>();
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      let removed = 0;
      for (const { name } of tables) {
        const rows = await this.#removeRows(name, id);
        removed += rows;
        if (rows > 0) erased.set(name, (erased.get(name) ?? 0) + rows);
      }
      if (removed === 0) {
        await this.#db.query("delete from tenants where id = $1", [id]);
        return { tables: [...erased].map(([table, rows]) => ({ table, rows })) };
      }
    }
    throw new OvenError("TENANT_IN_USE", "Rows of this tenant are still being written", {
      status: 409,
      retryable: true,
      fix: "Wait until its calls in flight have ended, and erase it again.",
    });
  }

  async #removeRows(table: string, tenantId: number): Promise<number> {
    for (let removed = 0; ; ) {
      const [row] = await this.#db.query<{ n: number }>(
        `with gone as (delete from ${table} where ctid = any(array(
           select ctid from ${table} where tenant_id = $1 limit ${BATCH})) and tenant_id = $1 returning 1)
         select count(*)::integer as n from gone`,
        [tenantId],
      );
      const n = row?.n ?? 0;
      removed += n;
      if (n < BATCH) return removed;
    }
  }

  async *#write({ id, name }: TenantRow): AsyncGenerator<string, void> {
    const head: Omit<TenantExport, "tables"> = {
      format: "oven-tenant",
      formatVersion: 1,
      exportedAt: new Date().toISOString(),
      tenant: { id, name },
    };
    yield `${JSON.stringify(head).slice(0, -1)},"tables":[`;
    for (const [index, table] of (await listTenantTables(this.#db)).entries()) {
      yield `${index === 0 ? "" : ","}${JSON.stringify({ table: table.name, columns: table.columns }).slice(0, -1)},"rows":`;
      yield* streamRows(this.#db, {
        table: table.name,
        columns: table.columns,
        condition: " where r.tenant_id = $1",
        parameters: [id],
      });
      yield "}";
    }
    yield "]}";
  }
}

async function find(db: Queryable, { tenantId }: Principal, id: number): Promise<TenantRow> {
  const [row] = await db.query<TenantRow>("select id, name from tenants where id = $1 and tenant_id = $2", [
    id,
    tenantId,
  ]);
  if (row === undefined) throw notFound("tenant", id);
  return row;
}
