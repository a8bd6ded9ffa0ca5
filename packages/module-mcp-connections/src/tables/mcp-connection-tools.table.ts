import type { McpListedTool } from "@oven/contract/mcp";
import type { Effect } from "@oven/contract/node";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, boolean, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

const at = (name: string) => timestamp(name, { withTimezone: true });

/** A tool as its server last listed it, and as somebody approved it. */
export const mcpConnectionTools = pgTable(
  "mcp_connection_tools",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    connectionId: bigint("connection_id", { mode: "number" }).notNull(),
    name: text("name").notNull(),
    toolId: text("tool_id").notNull(),
    listed: jsonb("listed").$type<McpListedTool>().notNull(),
    listedHash: text("listed_hash").notNull(),
    problem: text("problem"),
    lastSeenAt: at("last_seen_at").notNull(),
    vanishedAt: at("vanished_at"),
    approved: jsonb("approved").$type<McpListedTool>(),
    approvedHash: text("approved_hash"),
    approvedBy: bigint("approved_by", { mode: "number" }),
    approvedAt: at("approved_at"),
    effect: text("effect").$type<Effect>().notNull().default("at-most-once"),
    needsApproval: boolean("needs_approval").notNull().default(true),
    /** Which calls need it, as CEL over `args`; null: each. */
    approvalWhen: text("approval_when"),
    createdAt: createdAtColumn(),
  },
  (table) => [uniqueIndex("mcp_connection_tools_name").on(table.tenantId, table.connectionId, table.name)],
);
