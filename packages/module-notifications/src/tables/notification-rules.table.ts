import type {
  NotificationChannel,
  NotificationKind,
  NotificationRecipient,
  NotificationScope,
  QuietHours,
} from "@oven/contract/system";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { boolean, index, jsonb, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** Who is told of what, which way, and in which words. */
export const notificationRules = pgTable(
  "notification_rules",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    scope: jsonb("scope").$type<NotificationScope>().notNull(),
    events: jsonb("events").$type<NotificationKind[]>().notNull(),
    channel: jsonb("channel").$type<NotificationChannel>().notNull(),
    recipients: jsonb("recipients").$type<NotificationRecipient[]>().notNull(),
    subject: text("subject"),
    text: text("text"),
    quietHours: jsonb("quiet_hours").$type<QuietHours>(),
    timezone: text("timezone").notNull(),
    /** The end of the address at which its channel posts decisions. */
    decisionsKey: text("decisions_key"),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    index("notification_rules_tenant").on(table.tenantId, table.id),
    uniqueIndex("notification_rules_decisions").on(table.decisionsKey),
  ],
);
