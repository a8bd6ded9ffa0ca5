import type { ExecutionKind } from "@oven/contract/run";
import type { NotificationKind } from "@oven/contract/system";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, index, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

/** What people are told in the dashboard; `rule_key` and `event_key` let one event be told once. */
export const notifications = pgTable(
  "notifications",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    userId: bigint("user_id", { mode: "number" }).notNull(),
    ruleKey: text("rule_key").notNull(),
    eventKey: text("event_key").notNull(),
    kind: text("kind").$type<NotificationKind>().notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    link: text("link").notNull(),
    executionKind: text("execution_kind").$type<ExecutionKind>(),
    executionId: bigint("execution_id", { mode: "number" }),
    reviewId: bigint("review_id", { mode: "number" }),
    readAt: timestamp("read_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("notifications_once").on(table.tenantId, table.eventKey, table.userId, table.ruleKey),
    index("notifications_user").on(table.userId, table.id),
    index("notifications_unread").on(table.userId).where(sql`read_at is null`),
    index("notifications_age").on(table.createdAt),
  ],
);
