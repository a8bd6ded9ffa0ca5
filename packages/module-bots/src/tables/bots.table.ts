import type { Bot, BotConnection, BotLanguage } from "@oven/contract/agent";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

/** A bot in Slack or Microsoft Teams, and who answers for it. */
export const bots = pgTable(
  "bots",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    enabled: boolean("enabled").notNull(),
    connection: jsonb("connection").$type<BotConnection>().notNull(),
    target: jsonb("target").$type<Bot["target"]>().notNull(),
    guests: jsonb("guests").$type<NonNullable<Bot["guests"]>>(),
    listens: jsonb("listens").$type<Bot["listens"]>().notNull(),
    perHour: integer("per_hour").notNull(),
    /** Of its own sentences; null: that of the tenant. */
    language: text("language").$type<BotLanguage>(),
    /** The end of its addresses. */
    key: text("key").notNull(),
    /** Who saved it last: guests may do no more than this person may. */
    savedBy: bigint("saved_by", { mode: "number" }),
    workspace: text("workspace"),
    lastError: text("last_error"),
    lastMessageAt: timestamp("last_message_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("bots_tenant").on(table.tenantId, table.id), uniqueIndex("bots_key").on(table.key)],
);
