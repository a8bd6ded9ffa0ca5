import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** A sign-in at a service's own page that is under way. */
export const apiSignIns = pgTable(
  "api_sign_ins",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    connectionId: bigint("connection_id", { mode: "number" }).notNull(),
    /** Who began it, and alone may finish it. */
    userId: bigint("user_id", { mode: "number" }).notNull(),
    /** The account's owner; 0: the account that all share. */
    ownerId: bigint("owner_id", { mode: "number" }).notNull(),
    stateHash: text("state_hash").notNull(),
    /** The verifier of PKCE. */
    sealed: text("sealed").notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("api_sign_ins_state").on(table.stateHash)],
);
