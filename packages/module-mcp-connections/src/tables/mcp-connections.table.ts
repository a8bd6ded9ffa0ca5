import type { McpConnectionAuth } from "@oven/contract/mcp";
import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, date, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

const at = (name: string) => timestamp(name, { withTimezone: true });

/** An outside server, how it is reached, and how it was at the last contact. */
export const mcpConnections = pgTable(
  "mcp_connections",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    title: text("title"),
    transport: text("transport").$type<"http" | "stdio">().notNull().default("http"),
    /** Null: a server of the operator's file. */
    url: text("url"),
    auth: jsonb("auth").$type<McpConnectionAuth>().notNull(),
    timeoutMs: integer("timeout_ms").notNull(),
    maxTotalMs: integer("max_total_ms").notNull().default(600_000),
    maxBytes: integer("max_bytes").notNull(),
    callsPerMinute: integer("calls_per_minute").notNull(),
    callsPerDay: integer("calls_per_day"),
    maxSessions: integer("max_sessions").notNull().default(10),
    sessionWaitMs: integer("session_wait_ms").notNull().default(30_000),
    sessionIdleMs: integer("session_idle_ms").notNull().default(300_000),
    enabled: boolean("enabled").notNull().default(true),
    /** The day (UTC) that `dayCalls` counts. */
    day: date("day"),
    dayCalls: integer("day_calls").notNull().default(0),
    /** What the server said about itself, so that it need not be asked before each call. */
    prior: jsonb("prior"),
    protocolVersion: text("protocol_version"),
    serverName: text("server_name"),
    instructions: text("instructions"),
    notes: jsonb("notes").$type<string[]>().notNull().default([]),
    lastContactAt: at("last_contact_at"),
    latencyMs: integer("latency_ms"),
    lastError: text("last_error"),
    lastErrorCode: text("last_error_code"),
    /** Failed contacts in a row. */
    failures: integer("failures").notNull().default(0),
    listedAt: at("listed_at"),
    nextCheckAt: at("next_check_at").notNull().defaultNow(),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("mcp_connections_name").on(table.tenantId, table.name),
    index("mcp_connections_due").on(table.nextCheckAt),
  ],
);
