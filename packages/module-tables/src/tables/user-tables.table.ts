import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, integer, jsonb, pgTable, text, uniqueIndex } from "@oven/db/pg-core";
import type { StoredColumn } from "../definitions/stored-column.ts";

/** Tables that a tenant has made. */
export const userTables = pgTable(
  "user_tables",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    description: text("description"),
    columns: jsonb("columns").$type<StoredColumn[]>().notNull(),
    /** Groups of keys of columns whose values together are unique. */
    uniqueGroups: jsonb("unique_groups").$type<string[][]>().notNull(),
    /** The number of the next column's key; none is given twice. */
    nextKey: integer("next_key").notNull(),
    version: integer("version").notNull().default(1),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("user_tables_slug").on(table.tenantId, table.slug)],
);

/** How much is in a table. A row of its own: each write of rows changes it. */
export const userTableSizes = pgTable("user_table_sizes", {
  tableId: bigint("table_id", { mode: "number" })
    .primaryKey()
    .references(() => userTables.id, { onDelete: "cascade" }),
  tenantId: tenantColumn(),
  rows: bigint("rows", { mode: "number" }).notNull().default(0),
  bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
});
