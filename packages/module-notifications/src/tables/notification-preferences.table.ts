import type { NotificationPreferences } from "@oven/contract/system";
import { tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, jsonb, pgTable } from "@oven/db/pg-core";

/** What each person wants to be told, and when. No row: everything at once. */
export const notificationPreferences = pgTable("notification_preferences", {
  userId: bigint("user_id", { mode: "number" }).primaryKey(),
  tenantId: tenantColumn(),
  preferences: jsonb("preferences").$type<NotificationPreferences>().notNull(),
  updatedAt: updatedAtColumn(),
});
