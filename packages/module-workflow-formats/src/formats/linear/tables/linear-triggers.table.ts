import type { JsonObject } from "@oven/contract";
import { createdAtColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, index, integer, jsonb, pgTable, uuid } from "@oven/db/pg-core";

export interface LinearTriggerDetails {
  type: string;
  config: JsonObject;
  filterRules: JsonObject;
  outputContainer: string;
  initialDataDescription: string;
}

export const linearTriggers = pgTable(
  "linear_triggers",
  {
    uuid: uuid("uuid").primaryKey().defaultRandom(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    workflowUuid: uuid("workflow_uuid").notNull(),
    details: jsonb("details").$type<LinearTriggerDetails>().notNull(),
    /** The trigger that listens; null: its settings, or its workflow, are not ready. */
    triggerId: bigint("trigger_id", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("linear_triggers_owner").on(table.tenantId, table.userId)],
);
