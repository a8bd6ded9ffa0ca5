import { createdAtColumn, tenantColumn } from "@oven/db";
import { bigint, index, pgTable, text, timestamp, uuid } from "@oven/db/pg-core";
import { embeds } from "./embeds.table.ts";

/** A browser on one origin. Who it is, nothing here says. */
export const embedVisitors = pgTable(
  "embed_visitors",
  {
    id: uuid("id").primaryKey(),
    tenantId: tenantColumn(),
    embedId: bigint("embed_id", { mode: "number" })
      .notNull()
      .references(() => embeds.id, { onDelete: "cascade" }),
    origin: text("origin").notNull(),
    secretHash: text("secret_hash").notNull(),
    createdAt: createdAtColumn(),
    seenAt: timestamp("seen_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("embed_visitors_embed").on(table.embedId, table.seenAt)],
);
