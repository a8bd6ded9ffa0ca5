import type { RoutedGraphSpec } from "@oven/contract/formats/routed.ts";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, index, integer, json, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** Graphs as they were written. What they compile to is an agent workflow of its own. */
export const routedGraphs = pgTable(
  "routed_graphs",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    /** Given by whoever wrote the document. */
    graphId: text("graph_id").notNull(),
    name: text("name").notNull(),
    /** The order of nodes and edges counts: not jsonb. */
    spec: json("spec").$type<RoutedGraphSpec>().notNull(),
    /** What it was compiled to last. */
    agentWorkflowId: bigint("agent_workflow_id", { mode: "number" }).notNull(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("routed_graphs_given").on(table.tenantId, table.userId, table.graphId),
    index("routed_graphs_compiled").on(table.agentWorkflowId),
  ],
);
