import type { EvalCheck, EvalResult, EvalResultStatus } from "@oven/contract/eval";
import type { ExecutionKind } from "@oven/contract/run";
import { exactJson, idColumn, tenantColumn } from "@oven/db";
import { bigint, integer, pgTable, real, text, timestamp, uniqueIndex } from "@oven/db/pg-core";
import { caseColumns } from "./eval-cases.table.ts";
import { evalRuns } from "./eval-runs.table.ts";

/** A case of a run, as it was when the run began, and what became of it. */
export const evalResults = pgTable(
  "eval_results",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    runId: bigint("run_id", { mode: "number" })
      .notNull()
      .references(() => evalRuns.id, { onDelete: "cascade" }),
    /** No reference: a result outlives its case. */
    caseId: bigint("case_id", { mode: "number" }),
    caseName: text("case_name").notNull(),
    ...caseColumns(),
    status: text("status").$type<EvalResultStatus>().notNull().default("pending"),
    executionKind: text("execution_kind").$type<ExecutionKind>(),
    executionId: bigint("execution_id", { mode: "number" }),
    output: exactJson("output"),
    score: real("score"),
    checks: exactJson("checks").$type<EvalCheck[]>().notNull(),
    error: exactJson("error").$type<EvalResult["error"]>(),
    tokens: integer("tokens").notNull().default(0),
    costMicros: bigint("cost_micros", { mode: "number" }).notNull().default(0),
    durationMs: integer("duration_ms"),
    startedAt: timestamp("started_at", { withTimezone: true }),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (table) => [uniqueIndex("eval_results_case").on(table.runId, table.caseName)],
);
