import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** A thread of a messenger, and the conversation with the agent that goes on in it. */
export const botThreads = pgTable(
  "bot_threads",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    botId: bigint("bot_id", { mode: "number" }).notNull(),
    /** In the words of the messenger. */
    thread: text("thread").notNull(),
    agentId: bigint("agent_id", { mode: "number" }).notNull(),
    sessionId: bigint("session_id", { mode: "number" }).notNull(),
    /** Whose conversation it is: `user:7`, or `guest`. */
    identity: text("identity").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("bot_threads_thread").on(table.botId, table.thread)],
);
