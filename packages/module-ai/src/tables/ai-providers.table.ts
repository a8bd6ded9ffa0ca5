import type { ModelProvider, ProviderKind } from "@oven/contract/ai";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { boolean, jsonb, pgTable, text, uniqueIndex, varchar } from "@oven/db/pg-core";

/** Places models come from that a tenant has set up, beside those of the environment. */
export const aiProviders = pgTable(
  "ai_providers",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    /** First part of `providerId:modelId`. */
    slug: varchar("slug", { length: 64 }).notNull(),
    title: text("title").notNull(),
    kind: varchar("kind", { length: 32 }).$type<ProviderKind>().notNull(),
    baseUrl: text("base_url"),
    /** Name of the secret that is its key. */
    secret: varchar("secret", { length: 64 }),
    headers: jsonb("headers").$type<ModelProvider["headers"]>().notNull().default({}),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("ai_providers_tenant_slug").on(table.tenantId, table.slug)],
);
