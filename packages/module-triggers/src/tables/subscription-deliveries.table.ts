import type { SubscriptionDelivery } from "@oven/contract/trigger";
import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, index, integer, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";
import { eventSubscriptions } from "./event-subscriptions.table.ts";

/** Events on their way to a subscription, those that arrived, and those that were given up. */
export const subscriptionDeliveries = pgTable(
  "subscription_deliveries",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    subscriptionId: bigint("subscription_id", { mode: "number" })
      .notNull()
      .references(() => eventSubscriptions.id, { onDelete: "cascade" }),
    /** The same event comes once. */
    key: text("key").notNull(),
    messageId: text("message_id").notNull(),
    event: text("event").notNull(),
    occurredAt: timestamp("occurred_at", { withTimezone: true }).notNull(),
    payload: exactJson("payload").notNull(),
    status: text("status").$type<SubscriptionDelivery["status"]>().notNull().default("pending"),
    attempts: integer("attempts").notNull().default(0),
    lastStatus: integer("last_status"),
    lastError: text("last_error"),
    /** Not to be sent before; pushed on by whoever sends it. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    replayOf: bigint("replay_of", { mode: "number" }),
    createdAt: createdAtColumn(),
    deliveredAt: timestamp("delivered_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("subscription_deliveries_key").on(table.subscriptionId, table.key),
    index("subscription_deliveries_open").on(table.subscriptionId, table.nextAttemptAt).where(sql`status = 'pending'`),
    index("subscription_deliveries_tenant").on(table.tenantId, table.id),
  ],
);
