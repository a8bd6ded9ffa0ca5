import type { ExecutionKind } from "@oven/contract/run";
import { tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, pgTable, primaryKey, text } from "@oven/db/pg-core";

/** Of a workflow: whether the person who started a run is notified of its end. */
export const workflowNotify = pgTable(
  "workflow_notify",
  {
    tenantId: tenantColumn(),
    workflowKind: text("workflow_kind").$type<ExecutionKind>().notNull(),
    workflowId: bigint("workflow_id", { mode: "number" }).notNull(),
    onComplete: boolean("notify_on_complete").notNull().default(false),
    onFailure: boolean("notify_on_failure").notNull().default(true),
    updatedAt: updatedAtColumn(),
  },
  (table) => [primaryKey({ columns: [table.workflowKind, table.workflowId] })],
);
