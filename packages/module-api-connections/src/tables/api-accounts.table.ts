import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

/** What an account at an API is used with, sealed: tokens, or a value that a person gave. */
export const apiAccounts = pgTable(
  "api_accounts",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    connectionId: bigint("connection_id", { mode: "number" }).notNull(),
    /** 0: the account that all share. */
    userId: bigint("user_id", { mode: "number" }).notNull(),
    sealed: text("sealed").notNull(),
    /** Until then one process renews the tokens, and the others wait. */
    renewingUntil: timestamp("renewing_until", { withTimezone: true }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("api_accounts_owner").on(table.tenantId, table.connectionId, table.userId)],
);
