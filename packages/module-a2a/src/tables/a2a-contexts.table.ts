import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, index, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** The conversation with an agent that a caller's context is. Each caller has contexts of its own, whatever ids it gives them. */
export const a2aContexts = pgTable(
  "a2a_contexts",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    agentId: bigint("agent_id", { mode: "number" }).notNull(),
    /** Such as `api-key:7`. */
    caller: text("caller").notNull(),
    contextId: text("context_id").notNull(),
    sessionId: bigint("session_id", { mode: "number" }).notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("a2a_contexts_context").on(table.tenantId, table.caller, table.agentId, table.contextId),
    index("a2a_contexts_session").on(table.sessionId),
  ],
);
