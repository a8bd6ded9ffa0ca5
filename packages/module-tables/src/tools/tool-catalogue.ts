import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import { TenantTools } from "@oven/module-agent-core";
import type { StoredTable } from "../definitions/stored-column.ts";
import { userTables, userTableTools } from "../schema.ts";
import { filterByNames } from "./tool-service.ts";
import { type ToolDefinition, toToolInfos } from "./tool-shape.ts";

/** What agents may do with tables. @param changed called after it has become something else */
export function createTableTools({ system }: Database, changed: () => void): TenantTools {
  return new TenantTools({
    db: system,
    changed,
    marked: {
      from: "user_table_tools t join user_tables u on u.id = t.table_id where t.enabled",
      columns: ["t.id", "t.updated_at", "u.version"],
    },
    read: async () => {
      const rows = await system.orm
        .select({ tool: userTableTools, table: userTables })
        .from(userTableTools)
        .innerJoin(userTables, eq(userTables.id, userTableTools.tableId))
        .where(eq(userTableTools.enabled, true));
      return rows.flatMap(({ tool, table }) =>
        toToolInfos(toDefinition(tool, table)).map((info) => ({ tenantId: tool.tenantId, tool: info })),
      );
    },
  });
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
