import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, boolean, index, pgTable, uuid } from "@oven/db/pg-core";
import { embedVisitors } from "./embed-visitors.table.ts";
import { embeds } from "./embeds.table.ts";

/** What one visitor has said up to its end of life. */
export const embedConversations = pgTable(
  "embed_conversations",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    embedId: bigint("embed_id", { mode: "number" })
      .notNull()
      .references(() => embeds.id, { onDelete: "cascade" }),
    visitorId: uuid("visitor_id")
      .notNull()
      .references(() => embedVisitors.id, { onDelete: "cascade" }),
    /** The visitor has begun another one. */
    closed: boolean("closed").notNull().default(false),
    createdAt: createdAtColumn(),
  },
  (table) => [
    index("embed_conversations_visitor").on(table.visitorId, table.id),
    index("embed_conversations_embed").on(table.embedId, table.createdAt),
  ],
);
