import type { Principal } from "@oven/contract";
import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, index, integer, pgTable, primaryKey, text, timestamp, varchar } from "@oven/db/pg-core";

/** Waiting runs of a workflow that are moved to another version; of either kind. */
export const runMigrations = pgTable(
  "run_migrations",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    kind: varchar("kind", { length: 16 }).notNull(),
    workflowId: bigint("workflow_id", { mode: "number" }).notNull(),
    /** The version that runs go to. */
    version: integer("version").notNull(),
    mapping: exactJson("mapping").$type<Record<string, string>>().notNull(),
    /** Reviews that the person who began it may pass over, by their labels. */
    passed: exactJson("passed").$type<string[]>().notNull(),
    principal: exactJson("principal").$type<Principal>().notNull(),
    status: varchar("status", { length: 16 }).notNull(),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    finishedAt: timestamp("finished_at", { withTimezone: true }),
  },
  (table) => [
    index("run_migrations_workflow").on(table.tenantId, table.kind, table.workflowId, table.id),
    index("run_migrations_open").on(table.id).where(sql`finished_at is null`),
  ],
);

/** One run of a migration. What undoing it restores is in the run's log. */
export const runMigrationItems = pgTable(
  "run_migration_items",
  {
    migrationId: bigint("migration_id", { mode: "number" })
      .notNull()
      .references(() => runMigrations.id, { onDelete: "cascade" }),
    /** Of either kind, so without a foreign key. */
    executionId: bigint("execution_id", { mode: "number" }).notNull(),
    tenantId: tenantColumn(),
    /** `pending`, `moved`, `skipped`, `undone` or `stayed`. */
    status: varchar("status", { length: 16 }).notNull(),
    /** Why it was skipped or stayed. */
    reason: text("reason"),
    /** The run's fence as the move left it; another one: a worker has taken it up since. */
    epoch: integer("epoch"),
    seq: integer("seq"),
    createdAt: createdAtColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.migrationId, table.executionId] }),
    index("run_migration_items_status").on(table.migrationId, table.status, table.executionId),
    index("run_migration_items_run").on(table.executionId),
  ],
);
