import { createdAtColumn } from "@oven/db";
import { boolean, integer, pgTable, text, timestamp } from "@oven/db/pg-core";

/** One row at most: the hash of the link that makes the first admin. Its unique key lets one of two racers win. */
export const setupLink = pgTable("setup_link", {
  single: boolean("single").primaryKey().default(true),
  tenantId: integer("tenant_id").notNull().default(1),
  tokenHash: text("token_hash").notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
  usedAt: timestamp("used_at", { withTimezone: true }),
  createdAt: createdAtColumn(),
});
