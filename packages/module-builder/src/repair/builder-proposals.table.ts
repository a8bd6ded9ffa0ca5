import type { JsonObject } from "@oven/contract";
import type { RepairEvidence, RepairedFailure, RepairStatus, RetriedRun } from "@oven/contract/workflow";
import { createdAtColumn, exactJson, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex, varchar } from "@oven/db/pg-core";

/** What a person decided about a proposal, as the step that asked them wrote it down. */
export interface RepairDecision {
  action: string;
  reviewId: number | null;
  /** Null: no account is known. */
  by: number | null;
  reason: string | null;
  /** Of the definition that was shown. */
  definitionHash: string;
}

/** What runs of the repair workflow propose. No draft of a person is in it, and no person's draft is changed by it. */
export const builderProposals = pgTable(
  "builder_proposals",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    /** The run that repairs. */
    executionId: bigint("execution_id", { mode: "number" }).notNull(),
    workflowId: bigint("workflow_id", { mode: "number" }).notNull(),
    workflowName: varchar("workflow_name", { length: 200 }).notNull(),
    baseVersion: integer("base_version").notNull(),
    failure: exactJson("failure").$type<RepairedFailure>().notNull(),
    /** Digest of the failure: the same of runs that failed in the same way. */
    failureKey: varchar("failure_key", { length: 64 }).notNull(),
    runIds: exactJson("run_ids").$type<number[]>().notNull(),
    /** Runs that fail in the same way meanwhile belong to it, too. */
    wholeGroup: boolean("whole_group").notNull(),
    automatic: boolean("automatic").notNull(),
    startedBy: bigint("started_by", { mode: "number" }),
    /** Null: nothing was changed yet. */
    definition: exactJson("definition").$type<JsonObject | null>(),
    revision: integer("revision").notNull().default(0),
    status: text("status").$type<RepairStatus>().notNull().default("working"),
    /** It is under way, so no other run repairs the same. */
    open: boolean("open").notNull().default(true),
    evidence: exactJson("evidence").$type<RepairEvidence | null>(),
    explanation: text("explanation"),
    decision: exactJson("decision").$type<RepairDecision | null>(),
    reason: text("reason"),
    publishedVersion: integer("published_version"),
    retried: exactJson("retried").$type<RetriedRun[] | null>(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("builder_proposals_execution").on(table.executionId),
    uniqueIndex("builder_proposals_open").on(table.tenantId, table.workflowId, table.failureKey).where(sql`open`),
    index("builder_proposals_workflow").on(table.tenantId, table.workflowId, table.id),
  ],
);

export type ProposalRow = (typeof builderProposals)["$inferSelect"];
