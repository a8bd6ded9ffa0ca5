import { DEFAULT_TENANT } from "@oven/contract";
import { createdAtColumn, tenantColumn } from "@oven/db";
import { integer, pgTable, text, timestamp } from "@oven/db/pg-core";

/** The tenants of the installation. All rows belong to the first one, which manages them. */
export const tenants = pgTable("tenants", {
  /** What other tables have as `tenant_id`. 1 is there from the start. */
  id: integer("id").primaryKey().generatedByDefaultAsIdentity({ startWith: 2 }),
  tenantId: tenantColumn().default(DEFAULT_TENANT),
  name: text("name").notNull().unique(),
  disabledAt: timestamp("disabled_at", { withTimezone: true }),
  createdAt: createdAtColumn(),
});
