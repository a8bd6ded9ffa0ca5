import type { AgentSettings } from "@oven/contract/agent";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, integer, jsonb, pgTable, text, unique, varchar } from "@oven/db/pg-core";

export const agents = pgTable(
  "agents",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: varchar("name", { length: 200 }).notNull(),
    slug: varchar("slug", { length: 63 }).notNull(),
    description: text("description"),
    enabled: boolean("enabled").notNull().default(true),
    settings: jsonb("settings").$type<AgentSettings>().notNull(),
    version: integer("version").notNull().default(1),
    /** The agent workflow made from the settings; it stays when the agent is bound to another one. */
    ownWorkflowId: bigint("own_workflow_id", { mode: "number" }),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [unique("agents_tenant_slug").on(table.tenantId, table.slug)],
);

/** Never changed: runs keep to the version they began with. */
export const agentVersions = pgTable(
  "agent_versions",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    agentId: bigint("agent_id", { mode: "number" })
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    settings: jsonb("settings").$type<AgentSettings>().notNull(),
    description: text("description"),
    /** Permissions of who saved it, as they were then. Runs of the agent may use no others. */
    granted: text("granted").array().notNull().default([]),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
  },
  (table) => [unique("agent_versions_number").on(table.agentId, table.version)],
);
