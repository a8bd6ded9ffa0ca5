import { createdAtColumn, tenantColumn } from "@oven/db";
import { bigint, index, pgTable, text, timestamp } from "@oven/db/pg-core";

/** One-time codes of mails about reviews: a reply that carries one decides. */
export const replyCodes = pgTable(
  "notification_reply_codes",
  {
    /** SHA-256 (hex) of the code. */
    codeHash: text("code_hash").primaryKey(),
    tenantId: tenantColumn(),
    userId: bigint("user_id", { mode: "number" }).notNull(),
    reviewId: bigint("review_id", { mode: "number" }).notNull(),
    /** Of what the mail has shown. */
    digest: text("digest").notNull(),
    title: text("title").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    /** The mail that has used it. */
    usedBy: text("used_by"),
    /** What that mail is answered with, once it is known. */
    answer: text("answer"),
    createdAt: createdAtColumn(),
  },
  (table) => [index("notification_reply_codes_age").on(table.expiresAt)],
);
