import type { LinearStepType, StopCondition } from "@oven/contract/formats/linear.ts";
import { createdAtColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid, varchar } from "@oven/db/pg-core";

/** What a step's type asks for. */
export interface StepDetails {
  description: string;
  model?: string;
  systemPrompt?: string;
  tools?: Record<string, { enabled?: boolean | undefined; [key: string]: unknown }>;
  stopConditions?: StopCondition[];
  outputContainer?: string;
  summary?: string | null;
}

/** Steps of all three types, told apart by `type`. */
export const linearSteps = pgTable(
  "linear_steps",
  {
    uuid: uuid("uuid").primaryKey().defaultRandom(),
    tenantId: tenantColumn(),
    userId: integer("user_id").notNull(),
    name: text("name").notNull(),
    type: varchar("type", { length: 16 }).$type<LinearStepType>().notNull(),
    details: jsonb("details").$type<StepDetails>().notNull(),
    /** Counts changes of what the summary is about; behind it: a summary is to be written. */
    summaryWanted: integer("summary_wanted").notNull().default(0),
    summaryMade: integer("summary_made").notNull().default(0),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("linear_steps_name")
      .on(table.tenantId, table.userId, table.type, table.name)
      .where(sql`${table.type} <> 'stop_checker'`),
    index("linear_steps_summary_due").on(table.uuid).where(sql`${table.summaryWanted} > ${table.summaryMade}`),
  ],
);
