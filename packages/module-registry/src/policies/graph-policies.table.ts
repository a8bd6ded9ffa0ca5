import type { GraphPolicyRule } from "@oven/contract/workflow";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, jsonb, pgTable, unique, varchar } from "@oven/db/pg-core";

/** Rules about graphs, by tenant. Tenant 0 holds for everybody. Decided in module-workflows. */
export const graphPolicies = pgTable(
  "graph_policies",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: varchar("name", { length: 200 }).notNull(),
    description: varchar("description", { length: 2_000 }),
    severity: varchar("severity", { length: 16 }).$type<"error" | "warning">().notNull(),
    enabled: boolean("enabled").notNull().default(true),
    rule: jsonb("rule").$type<GraphPolicyRule>().notNull(),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [unique("graph_policies_tenant_name").on(table.tenantId, table.name)],
);
