import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { bigint, index, integer, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** A call in a run that a server answered with a question: what is needed to go on when a person has answered. */
export const mcpOpenQuestions = pgTable(
  "mcp_open_questions",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    connectionId: bigint("connection_id", { mode: "number" }).notNull(),
    executionId: bigint("execution_id", { mode: "number" }).notNull(),
    nodeId: text("node_id").notNull(),
    visit: integer("visit").notNull(),
    /** Empty: the node run itself. */
    item: text("item").notNull(),
    state: exactJson("state").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("mcp_open_questions_position").on(table.executionId, table.nodeId, table.visit, table.item),
    index("mcp_open_questions_age").on(table.createdAt),
  ],
);
