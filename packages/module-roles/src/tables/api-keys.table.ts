import { createdAtColumn, idColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, index, integer, pgTable, primaryKey, text, timestamp } from "@oven/db/pg-core";

/** Rows of better-auth's API key plugin. `key` is base64url(SHA-256(key)); the key itself is shown once and not kept. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: idColumn(),
    tenantId: integer("tenant_id").notNull().default(1),
    configId: text("config_id").notNull().default("default"),
    name: text("name"),
    /** First characters, to tell keys apart. */
    start: text("start"),
    prefix: text("prefix"),
    key: text("key").notNull().unique(),
    /** The user it belongs to; the plugin keeps it as text. */
    referenceId: text("reference_id").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    permissions: text("permissions"),
    /** The only workflows it may use, such as `agent-workflow:7`; null: all. */
    workflows: text("workflows").array(),
    /** The only agents it may use; null: as `workflows` says. */
    agents: bigint("agents", { mode: "number" }).array(),
    metadata: text("metadata"),
    refillInterval: integer("refill_interval"),
    refillAmount: integer("refill_amount"),
    lastRefillAt: timestamp("last_refill_at", { withTimezone: true }),
    rateLimitEnabled: boolean("rate_limit_enabled").notNull().default(false),
    rateLimitTimeWindow: integer("rate_limit_time_window"),
    rateLimitMax: integer("rate_limit_max"),
    requestCount: integer("request_count").notNull().default(0),
    remaining: integer("remaining"),
    lastRequest: timestamp("last_request", { withTimezone: true }),
    expiresAt: timestamp("expires_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("api_keys_reference").on(table.referenceId)],
);

/** From where each key was used, so that a new address can be noticed. */
export const apiKeyAddresses = pgTable(
  "api_key_addresses",
  {
    tenantId: integer("tenant_id").notNull(),
    keyId: bigint("key_id", { mode: "number" })
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    address: text("address").notNull(),
    firstUsedAt: timestamp("first_used_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.address] })],
);
