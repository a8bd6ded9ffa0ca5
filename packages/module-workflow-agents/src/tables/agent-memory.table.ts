import type { JsonObject } from "@oven/contract";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, index, jsonb, pgTable, text, varchar } from "drizzle-orm/pg-core";

/** What agents remember beyond a run. */
export const agentMemory = pgTable(
  "agent_memory",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    agentId: bigint("agent_id", { mode: "number" }).notNull(),
    userId: bigint("user_id", { mode: "number" }),
    key: varchar("key", { length: 200 }).notNull(),
    content: text("content").notNull(),
    metadata: jsonb("metadata").$type<JsonObject>(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("agent_memory_owner").on(table.tenantId, table.agentId, table.userId)],
);
