import type { ChainScheduleType, ChainStatus, ExecutorSpec, ToolManifest } from "@oven/contract/formats/chains.ts";
import type { Overlap } from "@oven/contract/trigger";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from "@oven/db/pg-core";

/** Chains as they were written. What they compile to is an agent workflow of its own. */
export const executorChains = pgTable(
  "executor_chains",
  {
    id: idColumn(),
    uuid: uuid("workflow_id").notNull().unique().defaultRandom(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    slug: text("slug").notNull(),
    threadId: text("thread_id").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    executors: jsonb("executors").$type<ExecutorSpec[]>().notNull(),
    toolManifest: jsonb("tool_manifest_json").$type<ToolManifest>().notNull(),
    scheduleType: text("schedule_type").$type<ChainScheduleType>().notNull(),
    scheduleTime: timestamp("schedule_time", { withTimezone: true }),
    cronExpression: text("cron_expression"),
    timezone: text("timezone").notNull(),
    misfire: text("misfire").$type<"skip" | "once" | "all">().notNull(),
    overlap: text("overlap").$type<Overlap>().notNull(),
    status: text("status").$type<ChainStatus>().notNull().default("active"),
    notifyOnComplete: boolean("notify_on_complete").notNull(),
    notifyOnFailure: boolean("notify_on_failure").notNull(),
    /** What it was compiled to last. */
    agentWorkflowId: bigint("agent_workflow_id", { mode: "number" }).notNull(),
    /** null: it has no schedule. */
    triggerId: bigint("trigger_id", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("executor_chains_slug").on(table.tenantId, table.userId, table.slug),
    index("executor_chains_compiled").on(table.agentWorkflowId),
  ],
);
