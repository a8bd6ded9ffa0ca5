import { idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, pgTable, text, uniqueIndex } from "@oven/db/pg-core";

/** Tokens and registrations of a connection that signs in, sealed. */
export const mcpCredentials = pgTable(
  "mcp_credentials",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    connectionId: bigint("connection_id", { mode: "number" }).notNull(),
    sealed: text("sealed").notNull(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [uniqueIndex("mcp_credentials_connection").on(table.tenantId, table.connectionId)],
);
