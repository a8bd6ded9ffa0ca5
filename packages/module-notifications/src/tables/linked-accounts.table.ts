import type { DecisionProvider } from "@oven/contract/system";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, index, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** Accounts in messengers that decide in the name of a person. */
export const linkedAccounts = pgTable(
  "notification_linked_accounts",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    userId: bigint("user_id", { mode: "number" }).notNull(),
    provider: text("provider").$type<DecisionProvider>().notNull(),
    workspace: text("workspace").notNull(),
    account: text("account").notNull(),
    name: text("name").notNull(),
    /** By whose proof the account was known when it was linked: a digest of the key. Under another key it is not linked. */
    proof: text("proof").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("notification_linked_accounts_once").on(
      table.tenantId,
      table.provider,
      table.workspace,
      table.account,
      table.proof,
    ),
    index("notification_linked_accounts_user").on(table.tenantId, table.userId),
  ],
);
