import type { JsonObject } from "@oven/contract";
import type { NotificationChannel } from "@oven/contract/system";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from "@oven/db/pg-core";

/** Messages about reviews that were posted where people decide, and are changed when the review does. */
export const reviewPosts = pgTable(
  "notification_review_posts",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    /** Who posted it; `ruleId` is the id of that kind. */
    source: text("source").$type<"rule" | "bot">().notNull().default("rule"),
    ruleId: bigint("rule_id", { mode: "number" }).notNull(),
    reviewId: bigint("review_id", { mode: "number" }).notNull(),
    /** As the rule had it; a rule that is deleted leaves its messages. */
    channel: jsonb("channel").$type<NotificationChannel>().notNull(),
    /** Where the message is, in the words of its channel. */
    place: jsonb("place").$type<JsonObject>().notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    /** The state of the review that the message shows. */
    shown: text("shown").notNull(),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }).notNull(),
    /** What the last attempt met. */
    reason: text("reason"),
    /** It shows the end of the review, or was given up. */
    doneAt: timestamp("done_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
  },
  (table) => [
    index("notification_review_posts_open").on(table.nextAttemptAt).where(sql`done_at is null`),
    index("notification_review_posts_review").on(table.reviewId, table.ruleId),
    index("notification_review_posts_age").on(table.createdAt),
  ],
);
