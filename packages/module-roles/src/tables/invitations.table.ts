import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { bigint, index, pgTable, text, timestamp } from "@oven/db/pg-core";

/** One-time links for new users. The token itself is shown once; here is its SHA-256. */
export const invitations = pgTable(
  "invitations",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    email: text("email").notNull(),
    roles: text("roles").array().notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    invitedBy: bigint("invited_by", { mode: "number" }),
    expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
    acceptedAt: timestamp("accepted_at", { withTimezone: true }),
    revokedAt: timestamp("revoked_at", { withTimezone: true }),
    createdAt: createdAtColumn(),
  },
  (table) => [index("invitations_tenant").on(table.tenantId)],
);
