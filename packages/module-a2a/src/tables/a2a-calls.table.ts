import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { bigint, index, integer, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** A call of an outside agent that a run has begun: what is needed to go on with it, also in another process. */
export const a2aCalls = pgTable(
  "a2a_calls",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    connectionId: bigint("connection_id", { mode: "number" }).notNull(),
    executionId: bigint("execution_id", { mode: "number" }).notNull(),
    nodeId: text("node_id").notNull(),
    visit: integer("visit").notNull(),
    /** Empty: the node run itself. */
    item: text("item").notNull(),
    arguments: exactJson("arguments").notNull(),
    /** The message that is to be sent; null: the agent has answered the last one. */
    outgoing: exactJson("outgoing"),
    /** The agent's. */
    taskId: text("task_id"),
    contextId: text("context_id"),
    /** Reviews whose answers were taken: a step that is repeated brings the same one again. */
    taken: bigint("taken", { mode: "number" }).array().notNull(),
    /** The question of the agent that a person was asked last. */
    asked: text("asked"),
    /** Looks in a row that the agent has not answered. */
    misses: integer("misses").notNull().default(0),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("a2a_calls_position").on(table.executionId, table.nodeId, table.visit, table.item),
    index("a2a_calls_age").on(table.createdAt),
  ],
);
