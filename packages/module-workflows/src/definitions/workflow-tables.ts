import type { JsonObject } from "@oven/contract";
import type { Canary, TestData } from "@oven/contract/workflow";
import { createdAtColumn, exactJson, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, integer, jsonb, pgTable, text, unique, varchar } from "@oven/db/pg-core";

/**
 * The definition tables of one kind: `workflows`, `workflow_versions`, `workflow_drafts`, `workflow_test_data` and
 * `workflow_seen_differences`, or their `agent_` twins.
 */
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
      tags: text("tags").array().notNull().default([]),
      version: integer("version").notNull().default(1),
      canary: jsonb("canary").$type<Canary>(),
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
      /** Negative: the draft of that revision, stored for its test runs and never published. */
      version: integer("version").notNull(),
      /** SHA-256 (hex) of the RFC 8785 JSON without `meta`. */
      contentHash: varchar("content_hash", { length: 64 }).notNull(),
      definition: jsonb("definition").$type<JsonObject>().notNull(),
      /** The closure: versions of the workflows it called when it was published, by `<kind>:<id>`. */
      calls: jsonb("calls").$type<Record<string, number>>(),
      description: text("description"),
      /** Permissions of who published it, or saved the draft, as they were then. Runs may use no others. */
      granted: text("granted").array().notNull().default([]),
      createdBy: bigint("created_by", { mode: "number" }),
      createdAt: createdAtColumn(),
    },
    (table) => [unique(named("workflow_versions_number")).on(table.workflowId, table.version)],
  );
  const drafts = pgTable(
    named("workflow_drafts"),
    {
      id: idColumn(),
      tenantId: tenantColumn(),
      workflowId: bigint(named("workflow_id"), { mode: "number" })
        .notNull()
        .references(() => workflows.id, { onDelete: "cascade" }),
      /** As it was sent, valid or not; null: there is none any more. The row stays, so that no revision is given twice. */
      definition: exactJson("definition").$type<JsonObject | null>(),
      baseVersion: integer("base_version").notNull(),
      revision: integer("revision").notNull().default(1),
      /** Permissions of who saved this revision, as they were then. */
      granted: text("granted").array().notNull().default([]),
      updatedBy: bigint("updated_by", { mode: "number" }),
      createdAt: createdAtColumn(),
      updatedAt: updatedAtColumn(),
    },
    (table) => [unique(named("workflow_drafts_workflow")).on(table.workflowId)],
  );
  const testData = pgTable(
    named("workflow_test_data"),
    {
      id: idColumn(),
      tenantId: tenantColumn(),
      workflowId: bigint(named("workflow_id"), { mode: "number" })
        .notNull()
        .references(() => workflows.id, { onDelete: "cascade" }),
      inputs: exactJson("inputs").$type<TestData["inputs"]>().notNull(),
      pins: exactJson("pins").$type<TestData["pins"]>().notNull(),
      updatedBy: bigint("updated_by", { mode: "number" }),
      createdAt: createdAtColumn(),
      updatedAt: updatedAtColumn(),
    },
    (table) => [unique(named("workflow_test_data_workflow")).on(table.workflowId)],
  );
  const seenDifferences = pgTable(
    named("workflow_seen_differences"),
    {
      id: idColumn(),
      tenantId: tenantColumn(),
      workflowId: bigint(named("workflow_id"), { mode: "number" })
        .notNull()
        .references(() => workflows.id, { onDelete: "cascade" }),
      /** The past run. No reference: what was looked at stays on record when the run is removed. */
      executionId: bigint("execution_id", { mode: "number" }).notNull(),
      /** Of the definition it was tried on, as `content_hash` of a version. */
      definitionHash: varchar("content_hash", { length: 64 }).notNull(),
      /** Of what it came to. */
      digest: varchar("digest", { length: 64 }).notNull(),
      draftRevision: integer("draft_revision").notNull(),
      userId: bigint("user_id", { mode: "number" }).notNull(),
      createdAt: createdAtColumn(),
    },
    (table) => [
      unique(named("workflow_seen_differences_once")).on(
        table.workflowId,
        table.executionId,
        table.definitionHash,
        table.digest,
        table.userId,
      ),
    ],
  );
  return { workflows, versions, drafts, testData, seenDifferences };
}
export type WorkflowTables = ReturnType<typeof createWorkflowTables>;
