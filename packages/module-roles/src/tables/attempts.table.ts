import { bigint, pgTable, text, timestamp } from "@oven/db/pg-core";

/**
 * Attempts that may be guesses, where several processes count together. Not in the write-ahead log. No tenant: what is guessed at
 * belongs to no account yet, and only the system reads it.
 */
export const attempts = pgTable("attempts", {
  /** A keyed hash of what is counted together: people type passwords into the field of the e-mail address. */
  key: text("key").primaryKey(),
  /** When each was made, in microseconds since 1970 by the database's clock; the oldest first. */
  times: bigint("times", { mode: "number" }).array().notNull(),
  at: timestamp("at", { withTimezone: true }).notNull(),
});
