import type { JsonObject } from "@oven/contract";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, integer, jsonb, pgTable, text, unique, varchar } from "drizzle-orm/pg-core";

/** The definition tables of one kind: `workflows` and `workflow_versions`, or their `agent_` twins. */
export function createWorkflowTables(prefix: "" | "agent_") {
  // Plain strings as names: the tables of both kinds then have one type.
  const named = (name: string): string => `${prefix}${name}`;
  const workflows = pgTable(
    named("workflows"),
    {
      id: idColumn(),
      tenantId: tenantColumn(),
      name: varchar("name", { length: 200 }).notNull(),
      slug: varchar("slug", { length: 63 }).notNull(),
      description: text("description"),
      definition: jsonb("definition").$type<JsonObject>().notNull(),
      agentConfig: jsonb("agent_config").$type<JsonObject>(),
      memoryConfig: jsonb("memory_config").$type<JsonObject>(),
      mcpExport: boolean("mcp_export").notNull().default(false),
      enabled: boolean("enabled").notNull().default(true),
      version: integer("version").notNull().default(1),
      createdBy: bigint("created_by", { mode: "number" }),
      createdAt: createdAtColumn(),
      updatedAt: updatedAtColumn(),
    },
    (table) => [unique(named("workflows_tenant_slug")).on(table.tenantId, table.slug)],
  );
  const versions = pgTable(
    named("workflow_versions"),
    {
      id: idColumn(),
      tenantId: tenantColumn(),
      workflowId: bigint(named("workflow_id"), { mode: "number" })
        .notNull()
        .references(() => workflows.id, { onDelete: "cascade" }),
      version: integer("version").notNull(),
      /** SHA-256 (hex) of the RFC 8785 JSON without `meta`. */
      contentHash: varchar("content_hash", { length: 64 }).notNull(),
      definition: jsonb("definition").$type<JsonObject>().notNull(),
      /** The closure: versions of the workflows it called when it was published, by `<kind>:<id>`. */
      calls: jsonb("calls").$type<Record<string, number>>(),
      description: text("description"),
      createdBy: bigint("created_by", { mode: "number" }),
      createdAt: createdAtColumn(),
    },
    (table) => [unique(named("workflow_versions_number")).on(table.workflowId, table.version)],
  );
  return { workflows, versions };
}
export type WorkflowTables = ReturnType<typeof createWorkflowTables>;
