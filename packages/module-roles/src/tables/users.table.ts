import { createdAtColumn, idColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, index, integer, pgTable, text, timestamp } from "@oven/db/pg-core";

/* Tables of better-auth, with ids made by the database and the tenant on every row. */

/** better-auth writes these rows itself, so the tenant has a default here. */
const tenantId = () => integer("tenant_id").notNull().default(1);
const userId = () =>
  bigint("user_id", { mode: "number" })
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

export const users = pgTable("users", {
  id: idColumn(),
  tenantId: tenantId(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  /** Set: they can neither sign in nor use their keys. */
  disabledAt: timestamp("disabled_at", { withTimezone: true }),
  /** An authenticator app is set up and was confirmed by a code. */
  twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
  createdAt: createdAtColumn(),
  updatedAt: updatedAtColumn(),
});

export const sessions = pgTable(
  "sessions",
  {
    id: idColumn(),
    tenantId: tenantId(),
    userId: userId(),
    token: text("token").notNull().unique(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    /** With what it was made beside, or instead of, a password: `code`, `passkey`, `provider`. null: with a password alone. */
    secondFactor: text("second_factor"),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

export const accounts = pgTable(
  "accounts",
  {
    id: idColumn(),
    tenantId: tenantId(),
    userId: userId(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: timestamp("access_token_expires_at", { withTimezone: true }),
    refreshTokenExpiresAt: timestamp("refresh_token_expires_at", { withTimezone: true }),
    scope: text("scope"),
    password: text("password"),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("accounts_user").on(table.userId)],
);

export const verifications = pgTable(
  "verifications",
  {
    id: idColumn(),
    tenantId: tenantId(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [index("verifications_identifier").on(table.identifier)],
);
