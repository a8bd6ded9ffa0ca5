import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, boolean, index, integer, pgTable, primaryKey, text, timestamp, varchar } from "@oven/db/pg-core";
import { users } from "./users.table.ts";

/* Tables of better-auth's plugins; a trigger gives each row the tenant of its user. */

const tenantId = () => integer("tenant_id").notNull().default(0);
const userId = () =>
  bigint("user_id", { mode: "number" })
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** The authenticator app of a person: secret and recovery codes are encrypted with the installation's secret. */
export const twoFactors = pgTable("two_factors", {
  id: idColumn(),
  tenantId: tenantId(),
  userId: userId().unique(),
  secret: text("secret").notNull(),
  backupCodes: text("backup_codes").notNull(),
  /** False until a first code has shown that the app has the secret. */
  verified: boolean("verified").notNull().default(false),
  failedVerificationCount: integer("failed_verification_count").notNull().default(0),
  lockedUntil: timestamp("locked_until", { withTimezone: true }),
  /** `code@second`: codes that were tried lately. None is taken twice (RFC 6238 §5.2). */
  usedCodes: text("used_codes").array().notNull().default([]),
  createdAt: createdAtColumn(),
});

export const passkeys = pgTable(
  "passkeys",
  {
    id: idColumn(),
    tenantId: tenantId(),
    userId: userId(),
    name: text("name"),
    publicKey: text("public_key").notNull(),
    credentialID: text("credential_id").notNull().unique(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    deviceType: text("device_type").notNull(),
    backedUp: boolean("backed_up").notNull(),
    transports: text("transports"),
    aaguid: text("aaguid"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/** What a tenant demands of those who have a role, built-in ones included; by the role's name, as in `user_roles`. */
export const roleSettings = pgTable(
  "role_settings",
  {
    tenantId: tenantColumn(),
    role: varchar("role", { length: 32 }).notNull(),
    requiresSecondFactor: boolean("requires_second_factor").notNull().default(false),
    createdAt: createdAtColumn(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.role] })],
);
