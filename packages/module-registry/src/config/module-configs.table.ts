import type { Json } from "@oven/contract";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, jsonb, pgTable, unique, varchar } from "@oven/db/pg-core";

/** Configuration values that differ from what a module declares. Tenant 0 is the whole installation. */
export const moduleConfigs = pgTable(
  "module_configs",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    moduleName: varchar("module_name", { length: 100 }).notNull(),
    key: varchar("key", { length: 100 }).notNull(),
    /** One instance, such as a workflow's id; null for all of them. */
    scopeId: varchar("scope_id", { length: 200 }),
    value: jsonb("value").$type<Json>().notNull(),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    unique("module_configs_place").on(table.moduleName, table.key, table.tenantId, table.scopeId).nullsNotDistinct(),
  ],
);
