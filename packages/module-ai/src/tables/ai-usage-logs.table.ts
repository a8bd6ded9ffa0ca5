import type { UsageRow } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, boolean, index, integer, jsonb, pgTable, text } from "@oven/db/pg-core";

/** One row per model call, also of those that failed or were aborted. */
export const aiUsageLogs = pgTable(
  "ai_usage_logs",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    providerId: text("provider_id").notNull(),
    modelId: text("model_id").notNull(),
    alias: text("alias"),
    operation: text("operation").$type<UsageRow["operation"]>().notNull(),
    source: text("source").$type<UsageRow["source"]>().notNull().default("provider"),
    tokenUsage: jsonb("token_usage").$type<TokenUsage>().notNull(),
    estimated: boolean("estimated").notNull().default(false),
    /** Integer, 10⁻⁶ USD. */
    costMicros: bigint("cost_micros", { mode: "number" }).notNull(),
    latencyMs: integer("latency_ms").notNull(),
    status: text("status").$type<UsageRow["status"]>().notNull(),
    error: text("error"),
    executionId: bigint("execution_id", { mode: "number" }),
    nodeId: text("node_id"),
    userId: bigint("user_id", { mode: "number" }),
    keyId: bigint("key_id", { mode: "number" }),
    /** `agent-workflow:7`. */
    workflow: text("workflow"),
    agent: text("agent"),
    fallbackFrom: text("fallback_from"),
    createdAt: createdAtColumn(),
  },
  (table) => [
    index("ai_usage_logs_tenant_created").on(table.tenantId, table.createdAt),
    index("ai_usage_logs_execution").on(table.executionId),
  ],
);
