import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, date, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";
import type { A2aAuth, A2aCard } from "../shapes.ts";

const at = (name: string) => timestamp(name, { withTimezone: true });

/** An outside agent: its card as it was read last, and as it was approved. */
export const a2aConnections = pgTable(
  "a2a_connections",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: text("name").notNull(),
    title: text("title"),
    url: text("url").notNull(),
    auth: jsonb("auth").$type<A2aAuth>().notNull(),
    timeoutMs: integer("timeout_ms").notNull(),
    maxTotalMs: bigint("max_total_ms", { mode: "number" }).notNull(),
    callsPerMinute: integer("calls_per_minute").notNull(),
    callsPerDay: integer("calls_per_day"),
    /** The day (UTC) that `dayCalls` counts. */
    day: date("day"),
    dayCalls: integer("day_calls").notNull().default(0),
    enabled: boolean("enabled").notNull(),
    card: jsonb("card").$type<A2aCard>(),
    cardHash: text("listed_hash"),
    cardReadAt: at("card_read_at"),
    approvedCard: jsonb("approved_card").$type<A2aCard>(),
    approvedHash: text("approved_hash"),
    approvedBy: bigint("approved_by", { mode: "number" }),
    approvedAt: at("approved_at"),
    needsApproval: boolean("needs_approval").notNull().default(true),
    approvalWhen: text("approval_when"),
    lastError: text("last_error"),
    failures: integer("failures").notNull().default(0),
    nextCheckAt: at("next_check_at").notNull().defaultNow(),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    uniqueIndex("a2a_connections_name").on(table.tenantId, table.name),
    index("a2a_connections_due").on(table.nextCheckAt),
  ],
);
