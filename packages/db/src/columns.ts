import { sql } from "drizzle-orm";
import { bigint, customType, integer, timestamp } from "drizzle-orm/pg-core";

/** bigint identity primary key, a JS number. */
export const idColumn = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

/** The owner. 1 is the default tenant, 0 is shared and visible to all. */
export const tenantColumn = () => integer("tenant_id").notNull();

/** `created_at`: set by the database when the row is inserted. */
export const createdAtColumn = () => timestamp("created_at", { withTimezone: true }).notNull().default(sql`now()`);
/** `updated_at`: set when the row is inserted; each update sets it. */
export const updatedAtColumn = () => timestamp("updated_at", { withTimezone: true }).notNull().default(sql`now()`);

/**
 * `json`, not `jsonb`: run data keeps NUL, lone surrogates and key order. Values go to the driver as text, so that
 * neither driver serialises them a second time.
 */
export const exactJson = customType<{ data: unknown; driverData: string }>({
  dataType: () => "json",
  toDriver: (value) => JSON.stringify(value),
});
