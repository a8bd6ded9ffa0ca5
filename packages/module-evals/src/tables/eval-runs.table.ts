import type { Principal } from "@oven/contract";
import type { EvalMode, EvalRunStatus, EvalTargetKind } from "@oven/contract/eval";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp } from "@oven/db/pg-core";
import { evalDatasets } from "./eval-datasets.table.ts";

/** A dataset run against a version. One process at a time works on it; after a crash another one goes on. */
export const evalRuns = pgTable(
  "eval_runs",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    datasetId: bigint("dataset_id", { mode: "number" })
      .notNull()
      .references(() => evalDatasets.id, { onDelete: "cascade" }),
    datasetSlug: text("dataset_slug").notNull(),
    targetKind: text("target_kind").$type<EvalTargetKind>().notNull(),
    targetId: bigint("target_id", { mode: "number" }).notNull(),
    targetVersion: integer("target_version").notNull(),
    status: text("status").$type<EvalRunStatus>().notNull().default("queued"),
    mode: text("mode").$type<EvalMode>().notNull(),
    recording: text("recording"),
    concurrency: integer("concurrency").notNull(),
    allowEffects: boolean("allow_effects").notNull(),
    timeoutMs: integer("timeout_ms").notNull(),
    /** In whose name the cases are run. */
    principal: jsonb("principal").$type<Principal>().notNull(),
    /** The process that works on it, until `claimed_until`. */
    owner: text("owner"),
    claimedUntil: timestamp("claimed_until", { withTimezone: true }),
    createdAt: createdAtColumn(),
    startedAt: timestamp("started_at", { withTimezone: true }),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (table) => [
    index("eval_runs_open").on(table.claimedUntil).where(sql`status in ('queued', 'running')`),
    index("eval_runs_dataset").on(table.datasetId, table.id),
    index("eval_runs_tenant").on(table.tenantId, table.id),
  ],
);
