import type { SpokenMessage } from "@oven/contract/agent";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, index, pgTable, text, uniqueIndex, varchar } from "@oven/db/pg-core";
import { agents } from "./agents.table.ts";

/** One conversation with one agent. */
export const agentSessions = pgTable(
  "agent_sessions",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    agentId: bigint("agent_id", { mode: "number" })
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    /** Whose it is; null: no person's, such as a service key's. */
    userId: bigint("user_id", { mode: "number" }),
    title: varchar("title", { length: 200 }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("agent_sessions_owner").on(table.tenantId, table.agentId, table.userId)],
);

export const agentMessages = pgTable(
  "agent_messages",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    sessionId: bigint("session_id", { mode: "number" })
      .notNull()
      .references(() => agentSessions.id, { onDelete: "cascade" }),
    role: text("role").$type<SpokenMessage["role"]>().notNull(),
    content: text("content").notNull(),
    /** The message that stands for the request this one came with; null: it is that message, or an answer. */
    saidWith: bigint("said_with", { mode: "number" }),
    /** The run that this asked for, or that answered it. */
    executionId: bigint("execution_id", { mode: "number" }),
    /** Which run's answer it is; null: the caller's words. */
    answerOf: bigint("answer_of", { mode: "number" }),
    /** Of the caller, on what was said last: the same request again is the same run. */
    idempotencyKey: text("idempotency_key"),
    createdAt: createdAtColumn(),
  },
  (table) => [
    index("agent_messages_execution").on(table.executionId),
    index("agent_messages_session").on(table.sessionId, table.id),
    uniqueIndex("agent_messages_answer").on(table.answerOf),
    uniqueIndex("agent_messages_key").on(table.tenantId, table.idempotencyKey),
  ],
);
