import type { Guardrail, GuardrailRule } from "@oven/contract/ai";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { boolean, index, jsonb, pgTable, text, varchar } from "@oven/db/pg-core";

/** What must not be sent to models, or not come from them. */
export const aiGuardrails = pgTable(
  "ai_guardrails",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    direction: varchar("direction", { length: 16 }).$type<Guardrail["direction"]>().notNull(),
    action: varchar("action", { length: 16 }).$type<Guardrail["action"]>().notNull(),
    rule: jsonb("rule").$type<GuardrailRule>().notNull(),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("ai_guardrails_tenant").on(table.tenantId)],
);
