import type { TokenUsage } from "@oven/contract/node";
import type { ExecutionKind, ExecutionStatus } from "@oven/contract/run";
import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";
import { chatSessions } from "./chat-sessions.table.ts";

/** One message and what came of it. What was said to an agent and what it answered stand in the agent's conversation only. */
export const chatTurns = pgTable(
  "chat_turns",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    sessionId: bigint("session_id", { mode: "number" })
      .notNull()
      .references(() => chatSessions.id, { onDelete: "cascade" }),
    /** Null: the agent's conversation has it, as soon as the run has begun. */
    message: text("message"),
    answer: text("answer"),
    status: text("status").$type<ExecutionStatus>().notNull().default("pending"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    /** Null: it has not begun. A message that is tried again has the newer run. */
    executionId: bigint("execution_id", { mode: "number" }),
    executionKind: text("execution_kind").$type<ExecutionKind>().notNull(),
    toolCalls: integer("tool_calls").notNull().default(0),
    simulated: boolean("simulated").notNull().default(false),
    tokenUsage: exactJson("token_usage").$type<TokenUsage | null>(),
    costMicros: bigint("cost_micros", { mode: "number" }).notNull().default(0),
    durationMs: bigint("duration_ms", { mode: "number" }),
    /** The caller's: the same request again is the same message. */
    idempotencyKey: text("idempotency_key"),
    createdAt: createdAtColumn(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (table) => [
    index("chat_turns_session").on(table.sessionId, table.id),
    uniqueIndex("chat_turns_execution").on(table.executionId),
    uniqueIndex("chat_turns_key").on(table.sessionId, table.idempotencyKey),
  ],
);
