import { doublePrecision, integer, pgTable, text, timestamp } from "@oven/db/pg-core";

/**
 * What is left of each rate that several processes share. Not in the write-ahead log: a crash of the server empties it, which
 * fills every bucket. No tenant: keys name callers of all of them, and only the system reads it.
 */
export const rateBuckets = pgTable("rate_buckets", {
  key: text("key").primaryKey(),
  /** Requests that are left; below zero where processes have admitted more on credit. */
  level: doublePrecision("level").notNull(),
  /** How many the last statement let through. */
  granted: integer("granted").notNull(),
  at: timestamp("at", { withTimezone: true }).notNull(),
});
