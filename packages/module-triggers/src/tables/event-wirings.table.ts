import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, index, pgTable, uniqueIndex } from "@oven/db/pg-core";
import { triggers } from "./triggers.table.ts";

/** Which triggers are wirings of an event to an action; all else is in the trigger and in the workflow that it starts. */
export const eventWirings = pgTable(
  "event_wirings",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    triggerId: bigint("trigger_id", { mode: "number" })
      .notNull()
      .references(() => triggers.id, { onDelete: "cascade" }),
    createdAt: createdAtColumn(),
  },
  (table) => [
    index("event_wirings_tenant").on(table.tenantId),
    uniqueIndex("event_wirings_trigger").on(table.triggerId),
  ],
);
