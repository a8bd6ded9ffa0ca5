import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, index, jsonb, pgTable, text, timestamp, unique, varchar } from "@oven/db/pg-core";

/** Values that outbound calls carry. The value itself is only in `sealed`, encrypted. */
export const secrets = pgTable(
  "secrets",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: varchar("name", { length: 64 }).notNull(),
    /** The only hosts it is sent to: `api.example.com`, `10.0.0.5:8080`. */
    hosts: jsonb("hosts").$type<string[]>().notNull(),
    /** Which key sealed it. */
    keyId: varchar("key_id", { length: 32 }).notNull(),
    sealed: text("sealed").notNull(),
    lastUsedAt: timestamp("last_used_at", { withTimezone: true }),
    createdBy: bigint("created_by", { mode: "number" }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [unique("secrets_tenant_name").on(table.tenantId, table.name), index("secrets_key_id").on(table.keyId)],
);
