import type { ApiOperation } from "@oven/contract/api";
import type { Effect } from "@oven/contract/node";
import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, boolean, jsonb, pgTable, text, timestamp, uniqueIndex } from "@oven/db/pg-core";

const at = (name: string) => timestamp(name, { withTimezone: true });

/** An operation as the document last described it, and as it was approved. */
export const apiOperations = pgTable(
  "api_operations",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    connectionId: bigint("connection_id", { mode: "number" }).notNull(),
    name: text("name").notNull(),
    toolId: text("tool_id").notNull(),
    listed: jsonb("listed").$type<ApiOperation>().notNull(),
    listedHash: text("listed_hash").notNull(),
    problem: text("problem"),
    vanishedAt: at("vanished_at"),
    approved: jsonb("approved").$type<ApiOperation>(),
    approvedHash: text("approved_hash"),
    approvedBy: bigint("approved_by", { mode: "number" }),
    approvedAt: at("approved_at"),
    effect: text("effect").$type<Effect>().notNull(),
    needsApproval: boolean("needs_approval").notNull().default(true),
    approvalWhen: text("approval_when"),
    createdAt: createdAtColumn(),
  },
  (table) => [
    uniqueIndex("api_operations_name").on(table.tenantId, table.connectionId, table.name),
    uniqueIndex("api_operations_tool").on(table.tenantId, table.toolId),
  ],
);
