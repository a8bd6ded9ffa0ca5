import { type ListParams, notFound, OvenError, type Principal, toSlug } from "@oven/contract";
import type { CreateTable, PlanTable, Table, TablePlan, UpdateTable } from "@oven/contract/table";
import type { Database, Transaction } from "@oven/db";
import { eq, sql } from "@oven/db/drizzle";
import { listRows } from "@oven/module-registry";
import { referringColumns } from "../rows/references.ts";
import { userTableSizes, userTables } from "../schema.ts";
import { columnChanges } from "./column-changes.ts";
import type { StoredTable } from "./stored-column.ts";
import type { TableReader } from "./table-reader.ts";
import { toStored, toTable } from "./to-table.ts";
import { planRows, rewriteRows } from "./walk-rows.ts";

/** Tables as people see and change them. */
export class TableService {
  readonly #db: Database;
  readonly #reader: TableReader;
  readonly #onChange: () => Promise<void>;

  /** @param onChange called after columns or names of tables have changed */
  constructor({ db, reader, onChange }: { db: Database; reader: TableReader; onChange(): Promise<void> }) {
    this.#db = db;
    this.#reader = reader;
    this.#onChange = () => onChange();
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: Table[]; total: number }> {
    const { id, slug, name, description, createdAt, updatedAt, tenantId } = userTables;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: userTables,
      fields: { id, slug, name, createdAt, updatedAt },
      search: [name, slug, description],
      tenant: tenantId,
    });
    return { rows: await this.#shown(principal, rows), total };
  }

  /** @throws OvenError NOT_FOUND, also for tables of other tenants */
  async get(principal: Principal, idOrSlug: string): Promise<Table> {
    return this.#one(principal, await this.#reader.get(principal, idOrSlug));
  }

  /** @throws OvenError SLUG_TAKEN 409, REFERENCE_MISSING 422, TABLE_VALUE_INVALID for a default */
  async create(principal: Principal, body: CreateTable): Promise<Table> {
    const { tenantId } = principal;
    const { name, description, columns, unique, slug = toSlug(name) } = body;
    const made = await orSlugTaken(slug, () =>
      this.#db.transaction(async (tx) => {
        const id = await nextId(tx);
        const ids = await this.#ids(tx, tenantId);
        ids.set(slug, ids.get(slug) ?? id);
        const stored = columns.map((column, index) =>
          toStored({ ...column, key: `c${index + 1}` }, ids, `$.columns[${index}]`),
        );
        const keyOf = (column: string) => stored.find((one) => one.name === column)?.key ?? "";
        const [row] = await tx.orm
          .insert(userTables)
          .overridingSystemValue()
          .values({
            ...{ id, tenantId, slug, name, description },
            columns: stored,
            uniqueGroups: unique.map((group) => group.map(keyOf)),
            nextKey: stored.length + 1,
          })
          .returning();
        if (row === undefined) throw new Error("an insert answered no row");
        await tx.orm.insert(userTableSizes).values({ tableId: id, tenantId });
        return row;
      }),
    );
    await this.#onChange();
    return this.#one(principal, made);
  }

  /** What a change would do. @throws OvenError as `update` */
  async plan(principal: Principal, idOrSlug: string, wanted: PlanTable): Promise<TablePlan> {
    const table = await this.#reader.get(principal, idOrSlug);
    requireVersion(table, wanted.version);
    const changes = columnChanges(table, wanted, await this.#ids(this.#db, principal.tenantId));
    return planRows(this.#db, table, changes);
  }

  /**
   * Changes names, columns and what is unique, with all rows.
   * @throws OvenError NOT_FOUND, STALE_VERSION 409, SLUG_TAKEN 409, TABLE_CHANGE_REFUSED 409 for values that are missing or stand twice,
   *   TABLE_CHANGE_LOSES 409 unless that is accepted
   */
  async update(principal: Principal, idOrSlug: string, { acceptLoss, ...wanted }: UpdateTable): Promise<Table> {
    const next = await orSlugTaken(wanted.slug, () =>
      this.#db.transaction(async (tx) => {
        const table = await this.#reader.lock(tx, principal, idOrSlug, "update");
        requireVersion(table, wanted.version);
        const changes = columnChanges(table, wanted, await this.#ids(tx, principal.tenantId));
        requireAccepted(await planRows(tx, table, changes), acceptLoss);
        await rewriteRows(tx, table, changes);
        const { name, slug, description, columns, uniqueGroups, nextKey } = changes.next;
        const [row] = await tx.orm
          .update(userTables)
          .set({
            ...{ name, slug, description, columns, uniqueGroups, nextKey },
            version: table.version + 1,
            updatedAt: sql`now()`,
          })
          .where(eq(userTables.id, table.id))
          .returning();
        if (row === undefined) throw notFound("table", idOrSlug);
        return row;
      }),
    );
    await this.#onChange();
    return this.#one(principal, next);
  }

  /** With all its rows and tools. @throws OvenError NOT_FOUND, TABLE_REFERENCED 409 */
  async delete(principal: Principal, idOrSlug: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const table = await this.#reader.lock(tx, principal, idOrSlug, "update");
      const others = (await referringColumns(tx, table)).filter(({ id }) => id !== table.id);
      const [first] = others;
      if (first !== undefined)
        throw new OvenError("TABLE_REFERENCED", `${first.slug}.${first.column.name} refers to rows of ${table.slug}`, {
          status: 409,
          fix: `Remove that column, or delete ${first.slug} first.`,
          details: { tables: others.map(({ slug }) => slug) },
        });
      await tx.orm.delete(userTables).where(eq(userTables.id, table.id));
    });
    await this.#onChange();
  }

  async #ids(db: Pick<Transaction, "query">, tenantId: number): Promise<Map<string, number>> {
    return new Map([...(await this.#reader.slugs(db, tenantId))].map(([id, slug]) => [slug, id]));
  }

  async #one(principal: Principal, row: StoredTable): Promise<Table> {
    const [shown] = await this.#shown(principal, [row]);
    if (shown === undefined) throw notFound("table", row.id);
    return shown;
  }

  async #shown({ tenantId }: Principal, rows: readonly StoredTable[]): Promise<Table[]> {
    if (rows.length === 0) return [];
    const slugs = await this.#reader.slugs(this.#db, tenantId);
    const sizes = await this.#db.query<{ table_id: number; rows: number; bytes: number }>(
      "select table_id, rows, bytes from user_table_sizes where tenant_id = $1::int and table_id = any($2::bigint[])",
      [tenantId, rows.map(({ id }) => id)],
    );
    const byId = new Map(sizes.map((size) => [Number(size.table_id), size]));
    return rows.map((row) => toTable(row, slugs, byId.get(row.id) ?? { rows: 0, bytes: 0 }));
  }
}

async function nextId(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ id: number }>("select nextval(pg_get_serial_sequence('user_tables', 'id')) as id");
  return Number(row?.id);
}

function requireVersion({ version, slug }: StoredTable, expected: number): void {
  if (version === expected) return;
  throw new OvenError("STALE_VERSION", `${slug} has been changed since it was read`, {
    status: 409,
    path: "$.version",
    fix: "Read the table again, and apply your change to what it is now.",
    details: { current: { version } },
  });
}

function requireAccepted(plan: TablePlan, acceptLoss: boolean): void {
  if (plan.refused > 0)
    throw new OvenError("TABLE_CHANGE_REFUSED", `${plan.refused} rows do not fit the columns as they are to be`, {
      status: 409,
      fix: "Correct the rows that the plan names, then change the columns.",
      details: { plan },
    });
  if (plan.lost > 0 && !acceptLoss)
    throw new OvenError("TABLE_CHANGE_LOSES", `${plan.lost} values would be deleted`, {
      status: 409,
      fix: "Look at the plan, and send `acceptLoss: true` if they may go.",
      details: { plan },
    });
}

async function orSlugTaken<T>(slug: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let current = error; current instanceof Error; current = current.cause) {
      if (!("constraint" in current) || current.constraint !== "user_tables_slug") continue;
      throw new OvenError("SLUG_TAKEN", `Another table has the slug ${slug}`, {
        status: 409,
        path: "$.slug",
        fix: "Choose another slug.",
        cause: error,
      });
    }
    throw error;
  }
}
