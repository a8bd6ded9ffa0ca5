import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** What the invented shop promises its customers, passage by passage. */
export const demoPolicies = pgTable(
  "demo_policies",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    topic: text("topic").notNull(),
    title: text("title").notNull(),
    passage: text("passage").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("demo_policies_tenant_title").on(table.tenantId, table.title)],
);
