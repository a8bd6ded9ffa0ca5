import type { DecisionProvider } from "@oven/contract/system";
import { createdAtColumn, tenantColumn } from "@oven/db";
import { index, pgTable, text, timestamp } from "@oven/db/pg-core";

/** Addresses at which a person may link an account; used once. */
export const accountLinks = pgTable(
  "notification_account_links",
  {
    /** SHA-256 (hex) of the token. */
    tokenHash: text("token_hash").primaryKey(),
    tenantId: tenantColumn(),
    provider: text("provider").$type<DecisionProvider>().notNull(),
    workspace: text("workspace").notNull(),
    account: text("account").notNull(),
    name: text("name").notNull(),
    proof: text("proof").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [index("notification_account_links_age").on(table.expiresAt)],
);
