import { createdAtColumn, idColumn, tenantColumn, updatedAtColumn } from "@oven/db";
import { bigint, boolean, index, pgTable, primaryKey, text, unique, varchar } from "@oven/db/pg-core";
import { users } from "./users.table.ts";

/** Built-in roles belong to tenant 0 and are written anew at each start; the others belong to the tenant that made them. */
export const roles = pgTable(
  "roles",
  {
    id: idColumn(),
    tenantId: tenantColumn(),
    name: varchar("name", { length: 32 }).notNull(),
    title: text("title").notNull(),
    description: text("description").notNull().default(""),
    permissions: text("permissions").array().notNull(),
    builtIn: boolean("built_in").notNull().default(false),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [unique("roles_tenant_name").on(table.tenantId, table.name)],
);

/** Who has which role in which tenant, by the role's name. */
export const userRoles = pgTable(
  "user_roles",
  {
    tenantId: tenantColumn(),
    userId: bigint("user_id", { mode: "number" })
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: varchar("role", { length: 32 }).notNull(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.userId, table.role] }),
    index("user_roles_user").on(table.userId),
  ],
);
