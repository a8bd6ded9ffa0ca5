import type { JsonObject } from "@oven/contract";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, check, index, jsonb, pgTable, text, timestamp, varchar } from "@oven/db/pg-core";

/** What agents remember beyond a run. Vectors and words to search are in the vector store, under `memory-<id>`. */
export const agentMemory = pgTable(
  "agent_memory",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    /** Whose it is: an agent's, or an agent workflow's that runs without one. */
    agentId: bigint("agent_id", { mode: "number" }),
    agentWorkflowId: bigint("agent_workflow_id", { mode: "number" }),
    userId: bigint("user_id", { mode: "number" }),
    key: varchar("key", { length: 200 }).notNull(),
    content: text("content").notNull(),
    metadata: jsonb("metadata").$type<JsonObject>(),
    vectorStoreId: bigint("vector_store_id", { mode: "number" }),
    expiresAt: timestamp("expires_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    index("agent_memory_owner").on(table.tenantId, table.agentId, table.userId),
    index("agent_memory_workflow_owner").on(table.tenantId, table.agentWorkflowId, table.userId),
    index("agent_memory_expiry").on(table.tenantId, table.expiresAt).where(sql`${table.expiresAt} is not null`),
    check("agent_memory_one_owner", sql`(${table.agentId} is null) <> (${table.agentWorkflowId} is null)`),
  ],
);
