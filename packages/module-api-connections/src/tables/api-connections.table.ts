import type { ApiAuth, ApiConnection } from "@oven/contract/api";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, date, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

const at = (name: string) => timestamp(name, { withTimezone: true });

/** An API, how it is reached, and its document as it was last read. */
export const apiConnections = pgTable(
  "api_connections",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    title: text("title"),
    sourceType: text("source_type").$type<ApiConnection["sourceType"]>().notNull(),
    /** Null: the document was sent. */
    sourceUrl: text("source_url"),
    serverUrl: text("server_url").notNull(),
    auth: jsonb("auth").$type<ApiAuth>().notNull(),
    accounts: text("accounts").$type<ApiConnection["accounts"]>().notNull(),
    timeoutMs: integer("timeout_ms").notNull(),
    maxBytes: integer("max_bytes").notNull(),
    callsPerMinute: integer("calls_per_minute").notNull(),
    callsPerDay: integer("calls_per_day"),
    enabled: boolean("enabled").notNull().default(true),
    /** The day (UTC) that `dayCalls` counts. */
    day: date("day"),
    dayCalls: integer("day_calls").notNull().default(0),
    document: jsonb("document").$type<ApiConnection["document"]>().notNull(),
    readAt: at("read_at").notNull(),
    lastError: text("last_error"),
    /** Failed readings in a row. */
    failures: integer("failures").notNull().default(0),
    /** Null: it is never read again by itself. */
    nextCheckAt: at("next_check_at"),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("api_connections_name").on(table.tenantId, table.name),
    index("api_connections_due").on(table.nextCheckAt),
  ],
);
