import { pgTable, text, timestamp } from "@oven/db/pg-core";

/** When the operator's mailbox for replies is read next: of any number of processes, one reads it. */
export const replyMailboxes = pgTable("notification_reply_mailboxes", {
  address: text("address").primaryKey(),
  nextLookAt: timestamp("next_look_at", { withTimezone: true }).notNull(),
});
