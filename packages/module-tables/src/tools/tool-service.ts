import { type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type { CreateTableTool, TableFilter, TableTool, UpdateTableTool } from "@oven/contract/table";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { listRows } from "@oven/module-registry";
import type { StoredTable } from "../definitions/stored-column.ts";
import type { TableReader } from "../definitions/table-reader.ts";
import { nameOf } from "../definitions/to-table.ts";
import { userTableTools } from "../schema.ts";
import { toConditions } from "../values/filter-sql.ts";
import { SqlValues } from "../values/sql-values.ts";

type ToolRow = typeof userTableTools.$inferSelect;

interface ToolServiceDeps {
  db: Database;
  reader: TableReader;
  onChange(): Promise<void>;
}

/** What administrators let agents do with tables. */
export class TableToolService {
  readonly #deps: ToolServiceDeps;

  constructor(deps: ToolServiceDeps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: TableTool[]; total: number }> {
    const { id, name, tableId, enabled, createdAt, updatedAt, description, tenantId } = userTableTools;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: userTableTools,
      fields: { id, name, tableId, enabled, createdAt, updatedAt },
      search: [name, description],
      tenant: tenantId,
    });
    return { rows: await Promise.all(rows.map((row) => this.#shown(principal, row))), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<TableTool> {
    return this.#shown(principal, await this.#find(principal, id));
  }

  /** @throws OvenError NOT_FOUND for the table, TABLE_FILTER_INVALID, TABLE_COLUMN_UNKNOWN, UNIQUE_VIOLATION */
  async create(principal: Principal, body: CreateTableTool): Promise<TableTool> {
    const values = await this.#toValues(principal, body);
    const [row] = await this.#deps.db.orm
      .insert(userTableTools)
      .values({ ...values, tenantId: principal.tenantId })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    await this.#deps.onChange();
    return this.#shown(principal, row);
  }

  /** @throws OvenError as `create` */
  async update(principal: Principal, id: number, body: UpdateTableTool): Promise<TableTool> {
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...change } = body;
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const values = await this.#toValues(principal, { ...(await this.get(principal, id)), ...given });
    const [row] = await this.#deps.db.orm
      .update(userTableTools)
      .set({ ...values, updatedAt: sql`now()` })
      .where(this.#own(principal, id))
      .returning();
    if (row === undefined) throw notFound("tool of a table", id);
    await this.#deps.onChange();
    return this.#shown(principal, row);
  }

  /** @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#find(principal, id);
    await this.#deps.db.orm.delete(userTableTools).where(this.#own(principal, id));
    await this.#deps.onChange();
  }

  async #find(principal: Principal, id: number): Promise<ToolRow> {
    const [row] = await this.#deps.db.orm.select().from(userTableTools).where(this.#own(principal, id));
    if (row === undefined) throw notFound("tool of a table", id);
    return row;
  }

  #own(principal: Principal, id: number) {
    return and(eq(userTableTools.id, id), eq(userTableTools.tenantId, principal.tenantId));
  }

  async #toValues(principal: Principal, body: CreateTableTool) {
    const table = await this.#deps.reader.get(principal, body.table);
    const { name, description, enabled, actions, where, visible, writable, most, needsApproval } = body;
    // The check of a filter is what makes SQL of it.
    toConditions(table, where, new SqlValues());
    return {
      tableId: table.id,
      ...{ name, description, enabled, most, needsApproval },
      actions: [...new Set(actions)],
      filter: filterByKeys(table, where),
      visible: visible === null ? null : toKeys(table, visible, "$.visible"),
      writable: writable === null ? null : toKeys(table, writable, "$.writable"),
    };
  }

  async #shown(principal: Principal, row: ToolRow): Promise<TableTool> {
    const table = await this.#deps.reader.get(principal, String(row.tableId));
    const { id, name, description, enabled, actions, filter, visible, writable, most, needsApproval } = row;
    const names = (keys: readonly string[]) => keys.flatMap((key) => nameOf(table, key) ?? []);
    return {
      ...{ id, name, table: table.slug, description, enabled, actions, most, needsApproval },
      where: filterByNames(table, filter) ?? {},
      visible: visible === null ? null : names(visible),
      writable: writable === null ? null : names(writable),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

const FIELDS: ReadonlySet<string> = new Set(["id", "createdAt", "updatedAt"]);

function filterByKeys(table: StoredTable, where: TableFilter): TableFilter {
  return Object.fromEntries(
    Object.entries(where).map(([name, wanted]) => [
      FIELDS.has(name) ? name : (table.columns.find((column) => column.name === name)?.key ?? name),
      wanted,
    ]),
  );
}

/** By names of columns as they are now. @returns undefined where a column is gone: without it the filter would let more through */
export function filterByNames(table: StoredTable, filter: TableFilter): TableFilter | undefined {
  const entries = Object.entries(filter).map(
    ([key, wanted]) => [FIELDS.has(key) ? key : nameOf(table, key), wanted] as const,
  );
  if (entries.some(([name]) => name === undefined)) return undefined;
  return Object.fromEntries(entries.flatMap(([name, wanted]) => (name === undefined ? [] : [[name, wanted]])));
}

function toKeys(table: StoredTable, names: readonly string[], path: string): string[] {
  return names.map((name, index) => {
    const key = table.columns.find((column) => column.name === name)?.key;
    if (key !== undefined) return key;
    throw new OvenError("TABLE_COLUMN_UNKNOWN", `${table.slug} has no column \`${name}\``, {
      status: 422,
      path: `${path}[${index}]`,
      fix: `Columns: ${table.columns.map((column) => column.name).join(", ")}.`,
    });
  });
}
