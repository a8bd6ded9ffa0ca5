import type { ExecutionKind, ExecutionStatus } from "@oven/contract/run";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, index, pgTable, text, uniqueIndex } from "@oven/db/pg-core";
import { embedConversations } from "./embed-conversations.table.ts";

/** What a visitor said or filled in, its run, and its answer. */
export const embedMessages = pgTable(
  "embed_messages",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    conversationId: bigint("conversation_id", { mode: "number" })
      .notNull()
      .references(() => embedConversations.id, { onDelete: "cascade" }),
    /** The answers of a form are JSON. */
    message: text("message").notNull(),
    answer: text("answer"),
    status: text("status").$type<ExecutionStatus>().notNull().default("pending"),
    /** Null: it has not begun. */
    executionId: bigint("execution_id", { mode: "number" }),
    executionKind: text("execution_kind").$type<ExecutionKind>().notNull(),
    key: text("key").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("embed_messages_key").on(table.conversationId, table.key),
    // One answer at a time, whatever comes at once.
    uniqueIndex("embed_messages_open").on(table.conversationId).where(sql`status in ('pending', 'running', 'paused')`),
    index("embed_messages_conversation").on(table.conversationId, table.id),
  ],
);
