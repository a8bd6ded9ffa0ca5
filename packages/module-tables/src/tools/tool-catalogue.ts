import type { ToolInfo } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import type { StoredTable } from "../definitions/stored-column.ts";
import { userTables, userTableTools } from "../schema.ts";
import { filterByNames } from "./tool-service.ts";
import { type ToolDefinition, toToolInfos } from "./tool-shape.ts";

/** What agents may do with tables, per tenant, in memory. */
export class TableToolCatalogue {
  readonly #db: Database;
  readonly #changed: () => void;
  #tools: ReadonlyMap<number, readonly ToolInfo[]> = new Map();
  #mark: string | undefined;

  /** @param changed called after what is on the catalogue has become something else */
  constructor(db: Database, changed: () => void) {
    this.#db = db.system;
    this.#changed = changed;
  }

  list(tenantId: number): readonly ToolInfo[] {
    return this.#tools.get(tenantId) ?? [];
  }

  /** Reads anew if something has changed, here or in another process. */
  async refresh(): Promise<void> {
    const [row] = await this.#db.query<{ mark: string | null }>(
      `select count(*)::text || ':' || coalesce(sum(hashtext(t.id::text || ':' || t.updated_at::text || ':' || u.version::text)::bigint), 0)::text as mark
       from user_table_tools t join user_tables u on u.id = t.table_id where t.enabled`,
    );
    const mark = row?.mark ?? "";
    if (mark === this.#mark) return;
    const rows = await this.#db.orm
      .select({ tool: userTableTools, table: userTables })
      .from(userTableTools)
      .innerJoin(userTables, eq(userTables.id, userTableTools.tableId))
      .where(eq(userTableTools.enabled, true));
    const byTenant = new Map<number, ToolInfo[]>();
    for (const { tool, table } of rows) {
      const infos = toToolInfos(toDefinition(tool, table));
      byTenant.set(tool.tenantId, [...(byTenant.get(tool.tenantId) ?? []), ...infos]);
    }
    for (const infos of byTenant.values()) infos.sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#tools = byTenant;
    this.#mark = mark;
    this.#changed();
  }
}

/** A tool by the columns that its table has now. */
export function toDefinition(tool: typeof userTableTools.$inferSelect, table: StoredTable): ToolDefinition {
  const { name, description, filter, visible, writable, actions, most, needsApproval } = tool;
  const shown = table.columns.filter(({ key }) => visible === null || visible.includes(key));
  return {
    ...{ table, name, description, actions, most, needsApproval },
    within: filterByNames(table, filter),
    visible: shown,
    writable: writable === null ? shown : table.columns.filter(({ key }) => writable.includes(key)),
  };
}
