import { tenantColumn } from "@oven/db";
import { bigint, index, pgTable } from "@oven/db/pg-core";

/** A run that is resumed goes on in an execution of its own; to the document it is the same run. */
export const runContinuations = pgTable(
  "executor_chain_resumes",
  {
    executionId: bigint("execution_id", { mode: "number" }).primaryKey(),
    tenantId: tenantColumn(),
    /** The execution that the run began with. */
    firstId: bigint("first_id", { mode: "number" }).notNull(),
  },
  (table) => [index("executor_chain_resumes_first").on(table.firstId, table.executionId)],
);
