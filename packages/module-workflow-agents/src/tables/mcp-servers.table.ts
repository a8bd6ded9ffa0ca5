import type { McpServer } from "@oven/contract/mcp";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, jsonb, pgTable, timestamp, varchar } from "@oven/db/pg-core";
import { agentWorkflows } from "./agent-workflows.table.ts";

/** One MCP server per exported workflow, generated from its definition. */
export const mcpServerDefinitions = pgTable("mcp_server_definitions", {
  id: idColumn(),
  tenantId: tenantColumn(),
  agentWorkflowId: bigint("agent_workflow_id", { mode: "number" })
    .notNull()
    .unique()
    .references(() => agentWorkflows.id, { onDelete: "cascade" }),
  name: varchar("name", { length: 200 }).notNull(),
  /** Unique in the installation: it is the last part of the server's URL. */
  slug: varchar("slug", { length: 70 }).notNull().unique(),
  toolDefinitions: jsonb("tool_definitions").$type<McpServer["toolDefinitions"]>().notNull(),
  status: varchar("status", { length: 16 }).$type<McpServer["status"]>().notNull(),
  lastGeneratedAt: timestamp("last_generated_at", { withTimezone: true }).notNull().default(sql`now()`),
  createdAt: createdAtColumn(),
  updatedAt: updatedAtColumn(),
});
