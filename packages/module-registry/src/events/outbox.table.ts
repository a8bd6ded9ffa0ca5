import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from "@oven/db/pg-core";

/** Domain events, written in the transaction of what they tell. They stay as the event log. */
export const outboxEvents = pgTable(
  "outbox_events",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull().default(sql`now()`),
    actor: exactJson("actor").notNull(),
    payload: exactJson("payload").notNull(),
    /** Events of one key are delivered in order. */
    orderKey: text("order_key"),
    deliveredAt: timestamp("delivered_at", { withTimezone: true }),
  },
  (table) => [index("outbox_events_pending").on(table.id).where(sql`delivered_at is null`)],
);

/** One row per event and listener that was tried. */
export const outboxDeliveries = pgTable(
  "outbox_deliveries",
  {
    eventId: bigint("event_id", { mode: "number" }).notNull(),
    listener: text("listener").notNull(),
    tenantId: tenantColumn(),
    attempts: integer("attempts").notNull().default(0),
    lastError: text("last_error"),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull().default(sql`now()`),
    deliveredAt: timestamp("delivered_at", { withTimezone: true }),
    /** Set when the attempts are used up; the event no longer holds up others. */
    failedAt: timestamp("failed_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.listener] })],
);
