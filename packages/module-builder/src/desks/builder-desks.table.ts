import type { JsonObject } from "@oven/contract";
import type { DraftCase } from "@oven/contract/workflow";
import { createdAtColumn, exactJson, tenantColumn } from "@oven/db";
import { bigint, boolean, integer, jsonb, pgTable, text } from "@oven/db/pg-core";

/** What one run of the builder works on. */
export const builderDesks = pgTable("builder_desks", {
  executionId: bigint("execution_id", { mode: "number" }).primaryKey(),
  tenantId: tenantColumn(),
  /** The agent workflow that is built, and the only one that the run may change. */
  workflowId: bigint("workflow_id", { mode: "number" }).notNull(),
  slug: text("slug").notNull(),
  /** The revision of the draft that the run has read or written last; 0: there was no draft. */
  seenRevision: integer("seen_revision").notNull(),
  /** The definition at that revision. */
  seen: exactJson("seen").$type<JsonObject>().notNull(),
  /** Whether the run has changed the draft. */
  changed: boolean("changed").notNull().default(false),
  /** The test cases that the run has tried the draft with. */
  cases: exactJson("cases").$type<DraftCase[]>().notNull(),
  /** Keys of the questions that a person was asked. */
  asked: jsonb("asked").$type<string[]>().notNull(),
  createdAt: createdAtColumn(),
});
