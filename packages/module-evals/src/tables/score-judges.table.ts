import type { ExecutionKind } from "@oven/contract/run";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "@oven/db/pg-core";

/** Models that score a sample of the completed runs of a workflow. */
export const scoreJudges = pgTable(
  "score_judges",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    targetKind: text("target_kind").$type<ExecutionKind>().notNull(),
    targetId: bigint("target_id", { mode: "number" }).notNull(),
    name: text("name").notNull(),
    rubric: text("rubric").notNull(),
    path: text("path").notNull(),
    model: text("model").notNull(),
    percent: doublePrecision("percent").notNull(),
    maxPerDay: integer("max_per_day").notNull(),
    enabled: boolean("enabled").notNull(),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("score_judges_name").on(table.tenantId, table.targetKind, table.targetId, table.name)],
);

/** Runs of a judge's sample: one row each, so that a run is judged once. The score itself is a score of the run. */
export const scoreJudgements = pgTable(
  "score_judgements",
  {
    judgeId: bigint("judge_id", { mode: "number" })
      .notNull()
      .references(() => scoreJudges.id, { onDelete: "cascade" }),
    executionId: bigint("execution_id", { mode: "number" }).notNull(),
    tenantId: tenantColumn(),
    status: text("status").$type<"waiting" | "scored" | "failed">().notNull().default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    /** When it may be taken: after a failure that may pass, and when the process that had it is gone. */
    dueAt: timestamp("due_at", { withTimezone: true }).notNull().default(sql`now()`),
    createdAt: createdAtColumn(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.judgeId, table.executionId] }),
    index("score_judgements_due").on(table.dueAt).where(sql`status = 'waiting'`),
    index("score_judgements_day").on(table.judgeId, table.createdAt),
  ],
);
