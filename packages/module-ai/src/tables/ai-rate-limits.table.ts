import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { integer, jsonb, pgTable, uniqueIndex, varchar } from "@oven/db/pg-core";

/** What a tenant may send to a provider in a minute, and what it has sent in the last. */
export const aiRateLimits = pgTable(
  "ai_rate_limits",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    providerId: varchar("provider_id", { length: 64 }).notNull(),
    requestsPerMinute: integer("requests_per_minute"),
    tokensPerMinute: integer("tokens_per_minute"),
    /** `{second: [requests, tokens]}`, seconds since 1970, of the last minute. In the row, so that one statement checks and counts. */
    slots: jsonb("slots").$type<Record<string, [number, number]>>().notNull().default({}),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("ai_rate_limits_tenant_provider").on(table.tenantId, table.providerId)],
);
