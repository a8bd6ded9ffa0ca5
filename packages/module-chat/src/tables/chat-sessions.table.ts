import type { JsonObject } from "@oven/contract";
import type { ChatMapping, ChatTargetKind } from "@oven/contract/agent";
import type { ModelSettings } from "@oven/contract/workflow";
import { createdAtColumn, exactJson, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, index, pgTable, text, varchar } from "@oven/db/pg-core";

/** One person's chat with one agent or workflow. */
export const chatSessions = pgTable(
  "chat_sessions",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    /** `user:7`, or `api-key:3`. */
    owner: text("owner").notNull(),
    /** Null until something was said. */
    title: varchar("title", { length: 200 }),
    targetKind: text("target_kind").$type<ChatTargetKind>().notNull(),
    targetId: bigint("target_id", { mode: "number" }).notNull(),
    /** As it was called when the chat began: the chat outlives a workflow. */
    targetName: varchar("target_name", { length: 200 }).notNull(),
    /** Of an agent: its conversation, which has the messages. */
    agentSessionId: bigint("agent_session_id", { mode: "number" }),
    parameters: exactJson("parameters").$type<JsonObject>().notNull(),
    /** Of an agent: what models are asked with instead. */
    modelSettings: exactJson("model_settings").$type<ModelSettings | null>(),
    /** Of a workflow. */
    mapping: exactJson("mapping").$type<ChatMapping | null>(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("chat_sessions_owner").on(table.tenantId, table.owner, table.updatedAt)],
);
