import type { ModelBudget } from "@oven/contract/ai";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, index, jsonb, pgTable, text, timestamp, uniqueIndex, varchar } from "@oven/db/pg-core";

/** What may be spent on models. */
export const aiBudgets = pgTable(
  "ai_budgets",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    scope: varchar("scope", { length: 16 }).$type<ModelBudget["scope"]>().notNull(),
    target: text("target"),
    period: varchar("period", { length: 16 }).$type<ModelBudget["period"]>().notNull(),
    limitMicros: bigint("limit_micros", { mode: "number" }),
    limitTokens: bigint("limit_tokens", { mode: "number" }),
    action: varchar("action", { length: 16 }).$type<ModelBudget["action"]>().notNull(),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("ai_budgets_tenant").on(table.tenantId)],
);

/** What was spent of a budget, by one subject in one period, and what calls in flight may add. */
export const aiBudgetSpend = pgTable(
  "ai_budget_spend",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    budgetId: bigint("budget_id", { mode: "number" })
      .notNull()
      .references(() => aiBudgets.id, { onDelete: "cascade" }),
    subject: text("subject").notNull(),
    period: varchar("period", { length: 16 }).notNull(),
    spentMicros: bigint("spent_micros", { mode: "number" }).notNull().default(0),
    spentTokens: bigint("spent_tokens", { mode: "number" }).notNull().default(0),
    /**
     * `{call: [micros, tokens, second it is given up, 1 when the call may need more than that]}`. In the row, so that one
     * statement checks and reserves.
     */
    reservations: jsonb("reservations")
      .$type<Record<string, [number, number, number, (0 | 1)?]>>()
      .notNull()
      .default({}),
    /** When a call was refused because nothing was left, for the first time; it was told then. */
    exhaustedAt: timestamp("exhausted_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("ai_budget_spend_subject").on(table.budgetId, table.subject, table.period)],
);
