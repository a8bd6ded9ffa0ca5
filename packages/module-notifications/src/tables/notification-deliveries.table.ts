import type { JsonObject } from "@oven/contract";
import type { NotificationDelivery, NotificationDeliveryStatus, NotificationKind } from "@oven/contract/system";
import { createdAtColumn, exactJson, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

/** Messages that leave OVEN, and what came of them. One row for each event, rule and recipient. */
export const notificationDeliveries = pgTable(
  "notification_deliveries",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    ruleId: bigint("rule_id", { mode: "number" }),
    /** The rule, and for a repetition which one. */
    ruleKey: text("rule_key").notNull(),
    eventKey: text("event_key").notNull(),
    channel: text("channel").$type<NotificationDelivery["channel"]>().notNull(),
    recipient: text("recipient").notNull(),
    /** Of an e-mail: whose it is. */
    userId: bigint("user_id", { mode: "number" }),
    kind: text("kind").$type<NotificationKind>().notNull(),
    reviewId: bigint("review_id", { mode: "number" }),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    link: text("link").notNull(),
    facts: exactJson("facts").$type<JsonObject>().notNull(),
    status: text("status").$type<NotificationDeliveryStatus>().notNull().default("pending"),
    reason: text("reason"),
    attempts: integer("attempts").notNull().default(0),
    digest: boolean("digest").notNull().default(false),
    replayOf: bigint("replay_of", { mode: "number" }),
    /** Not to be worked on before; pushed on by the process that works on it. */
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    sentAt: timestamp("sent_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("notification_deliveries_once").on(
      table.tenantId,
      table.eventKey,
      table.ruleKey,
      table.channel,
      table.recipient,
    ),
    index("notification_deliveries_open").on(table.nextAttemptAt).where(sql`status = 'pending'`),
    index("notification_deliveries_tenant").on(table.tenantId, table.id),
    index("notification_deliveries_age").on(table.createdAt),
  ],
);
