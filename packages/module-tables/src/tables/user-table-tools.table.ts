import type { TableFilter, TableToolAction } from "@oven/contract/table";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, integer, jsonb, pgTable, text, uniqueIndex } from "@oven/db/pg-core";
import { userTables } from "./user-tables.table.ts";

/** What agents may do with tables, as an administrator has set it. */
export const userTableTools = pgTable(
  "user_table_tools",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    tableId: bigint("table_id", { mode: "number" })
      .notNull()
      .references(() => userTables.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    description: text("description").notNull(),
    enabled: boolean("enabled").notNull(),
    actions: jsonb("actions").$type<TableToolAction[]>().notNull(),
    /** By keys of columns, so that it outlives a renaming. */
    filter: jsonb("filter").$type<TableFilter>().notNull(),
    visible: jsonb("visible").$type<string[]>(),
    writable: jsonb("writable").$type<string[]>(),
    most: integer("most").notNull(),
    needsApproval: boolean("needs_approval").notNull(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("user_table_tools_name").on(table.tenantId, table.name)],
);
