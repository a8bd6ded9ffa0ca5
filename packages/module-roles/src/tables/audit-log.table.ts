import { idColumn, tenantColumn } from "@oven/db";
import { bigint, index, integer, pgTable, text, timestamp } from "@oven/db/pg-core";

/** Who did what. Triggers of the migration refuse UPDATE, DELETE and TRUNCATE, for the table's owner too. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
    action: text("action").notNull(),
    outcome: text("outcome").notNull(),
    status: integer("status"),
    errorCode: text("error_code"),
    actorKind: text("actor_kind").notNull(),
    userId: bigint("user_id", { mode: "number" }),
    keyId: bigint("key_id", { mode: "number" }),
    targetType: text("target_type"),
    targetId: text("target_id"),
    targetVersion: integer("target_version"),
    argumentDigest: text("argument_digest"),
    address: text("address"),
    userAgent: text("user_agent"),
  },
  (table) => [
    index("audit_log_tenant").on(table.tenantId, table.id),
    index("audit_log_target").on(table.tenantId, table.targetType, table.targetId),
  ],
);
