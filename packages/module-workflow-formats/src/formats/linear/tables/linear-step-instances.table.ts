import type { JsonObject } from "@oven/contract";
import type { LinearMessage, LinearStepStatus } from "@oven/contract/formats/linear.ts";
import { createdAtColumn, tenantColumn } from "@oven/db";
import { bigint, index, integer, jsonb, pgTable, timestamp, uuid, varchar } from "@oven/db/pg-core";

export interface StepInstanceDetails {
  messages: LinearMessage[];
  errorMessage: string | null;
  inputData: JsonObject | null;
}

/** Records that clients keep of steps they run themselves. Those of the engine are read from its own rows. */
export const linearStepInstances = pgTable(
  "linear_step_instances",
  {
    uuid: uuid("uuid").primaryKey().defaultRandom(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    executionId: bigint("execution_id", { mode: "number" }).notNull(),
    stepUuid: uuid("step_definition_uuid").notNull(),
    status: varchar("status", { length: 16 }).$type<LinearStepStatus>().notNull().default("pending"),
    startedAt: timestamp("started_at", { withTimezone: true }),
    finishedAt: timestamp("finished_at", { withTimezone: true }),
    details: jsonb("details").$type<StepInstanceDetails>().notNull(),
    outputInstanceUuid: uuid("output_container_instance_uuid"),
    createdAt: createdAtColumn(),
  },
  (table) => [index("linear_step_instances_run").on(table.executionId)],
);
