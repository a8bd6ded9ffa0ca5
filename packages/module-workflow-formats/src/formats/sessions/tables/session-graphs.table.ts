import type { SessionGraphSpec } from "@oven/contract/formats/sessions.ts";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, index, integer, json, pgTable, text, uniqueIndex, uuid } from "@oven/db/pg-core";

/** Graphs as they were written. What they compile to is an agent workflow of its own. */
export const sessionGraphs = pgTable(
  "session_graphs",
  {
    id: idColumn(),
    uuid: uuid("graph_id").notNull().unique().defaultRandom(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    /** The order of steps and paths counts: not jsonb. */
    spec: json("spec").$type<SessionGraphSpec>().notNull(),
    /** What it was compiled to last. */
    agentWorkflowId: bigint("agent_workflow_id", { mode: "number" }).notNull(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("session_graphs_slug").on(table.tenantId, table.userId, table.slug),
    index("session_graphs_compiled").on(table.agentWorkflowId),
  ],
);
