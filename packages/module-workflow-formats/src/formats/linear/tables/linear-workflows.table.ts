import { createdAtColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from "@oven/db/pg-core";

/** Source documents. What they compile to is an agent workflow of its own. */
export const linearWorkflows = pgTable(
  "linear_workflows",
  {
    uuid: uuid("uuid").primaryKey().defaultRandom(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    isActive: boolean("is_active").notNull().default(true),
    triggerUuid: uuid("trigger_uuid"),
    /** In the order in which they run. */
    steps: jsonb("steps").$type<string[]>().notNull().default([]),
    templateId: text("template_id"),
    templateVersion: text("template_version"),
    /** The agent workflow it was compiled to last; null: it could never run yet. */
    workflowId: bigint("workflow_id", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    index("linear_workflows_owner").on(table.tenantId, table.userId),
    index("linear_workflows_compiled").on(table.workflowId),
  ],
);
