import type { JsonObject } from "@oven/contract";
import { createdAtColumn, exactJson, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "@oven/db/pg-core";
import { userTables } from "./user-tables.table.ts";

/** Rows of all tables. */
export const userTableRows = pgTable(
  "user_table_rows",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    tableId: bigint("table_id", { mode: "number" })
      .notNull()
      .references(() => userTables.id, { onDelete: "cascade" }),
    version: integer("version").notNull().default(1),
    /** Values by keys of columns; an empty column has none. */
    cells: jsonb("cells").$type<JsonObject>().notNull(),
    /** Length of `cells` as JSON text. */
    bytes: integer("bytes").notNull(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("user_table_rows_table").on(table.tableId, table.id)],
);

/** Digests of values by which rows are found, and which keep unique columns unique. */
export const userTableKeys = pgTable(
  "user_table_keys",
  {
    tenantId: tenantColumn(),
    /** It goes with its row. */
    tableId: bigint("table_id", { mode: "number" }).notNull(),
    rowId: bigint("row_id", { mode: "number" })
      .notNull()
      .references(() => userTableRows.id, { onDelete: "cascade" }),
    /** Keys of the columns: `c1`, or `c1,c3` of a group. */
    kind: text("kind").notNull(),
    key: text("key").notNull(),
    isUnique: boolean("is_unique").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.rowId, table.kind] }),
    uniqueIndex("user_table_keys_unique").on(table.tableId, table.kind, table.key).where(sql`is_unique`),
    index("user_table_keys_found").on(table.tableId, table.kind, table.key).where(sql`not is_unique`),
  ],
);

/** What steps and tools have written, by their idempotency keys, so that a repeated call writes nothing. */
export const userTableWrites = pgTable(
  "user_table_writes",
  {
    tenantId: tenantColumn(),
    key: text("key").notNull(),
    result: exactJson("result"),
    createdAt: createdAtColumn(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.key] })],
);
