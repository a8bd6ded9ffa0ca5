import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, index, jsonb, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** The handle of a run that an A2A client started. What state the task is in, the run says. */
export const a2aTasks = pgTable(
  "a2a_tasks",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    taskId: text("task_id").notNull(),
    contextId: text("context_id").notNull(),
    /** What it is a task of: an exported workflow, or an exported agent. The other one is null. */
    workflowId: bigint("workflow_id", { mode: "number" }),
    agentId: bigint("agent_id", { mode: "number" }),
    /** Null while the run is being started. */
    executionId: bigint("execution_id", { mode: "number" }),
    /** Who started it, such as `user:7`. */
    caller: text("caller").notNull(),
    /** The client's id of the first message: sent again, it names the same task. */
    messageId: text("message_id").notNull(),
    inputHash: text("body_hash").notNull(),
    /** The review that its caller was asked about last, which an answer without a digest decides. */
    asked: jsonb("asked").$type<{ reviewId: number; digest: string }>(),
    /** What clients have answered, the oldest first. What they said stands in the reviews. */
    answered: jsonb("answered").$type<{ reviewId: number; messageId: string }[]>().notNull().default([]),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("a2a_tasks_task").on(table.taskId),
    uniqueIndex("a2a_tasks_message").on(table.tenantId, table.caller, table.workflowId, table.messageId),
    uniqueIndex("a2a_tasks_agent_message").on(table.tenantId, table.caller, table.agentId, table.messageId),
    index("a2a_tasks_agent_context").on(table.tenantId, table.agentId, table.contextId),
    index("a2a_tasks_context").on(table.tenantId, table.workflowId, table.contextId),
    index("a2a_tasks_execution").on(table.executionId),
  ],
);
