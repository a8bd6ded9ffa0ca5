import type { SecretReference } from "@oven/contract/access";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { boolean, index, jsonb, pgTable, text } from "@oven/db/pg-core";

/** Where events are posted to. */
export const eventSubscriptions = pgTable(
  "event_subscriptions",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    url: text("url").notNull(),
    events: jsonb("events").$type<string[]>().notNull(),
    /** Name of the secret whose value signs. */
    secret: text("secret").notNull(),
    headers: jsonb("headers").$type<Record<string, string | SecretReference>>().notNull().default({}),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("event_subscriptions_tenant").on(table.tenantId)],
);
