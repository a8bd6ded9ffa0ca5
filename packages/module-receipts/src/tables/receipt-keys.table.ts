import { boolean, pgTable, text, timestamp, varchar } from "@oven/db/pg-core";

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** The installation's keys, which sign for all tenants. None is ever deleted: what it signed stays to be verified. */
export const receiptKeys = pgTable("receipt_keys", {
  /** The thumbprint of the public key. */
  kid: varchar("kid", { length: 64 }).primaryKey(),
  /** The public key: 32 bytes in base64url. */
  publicKey: varchar("public_key", { length: 43 }).notNull(),
  /** The private key, sealed. */
  sealed: text("sealed").notNull(),
  /** True: this one signs. Null: it has retired. */
  current: boolean("current").unique(),
  since: instant("since").notNull(),
  until: instant("until"),
});
