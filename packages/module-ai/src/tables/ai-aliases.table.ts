import type { AliasSettings } from "@oven/contract/ai";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { jsonb, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** Names such as `fast` that workflows use instead of a model. */
export const aiAliases = pgTable(
  "ai_aliases",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    /** `auto` or `providerId:modelId`. */
    model: text("model").notNull(),
    /** What is tried after it, in order. */
    fallbacks: jsonb("fallbacks").$type<string[]>().notNull().default([]),
    settings: jsonb("settings").$type<AliasSettings>().notNull().default({}),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("ai_aliases_tenant_name").on(table.tenantId, table.name)],
);
