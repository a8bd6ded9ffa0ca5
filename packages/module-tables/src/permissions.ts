import { type Permission, READING_ROLES, RUNNING_ROLES } from "@oven/module-registry";

/** Asked for by every tool of a table. */
export const USE_TOOLS = "table-tools.use";

export const tablePermissions: Permission[] = [
  { id: "tables.read", title: "See tables and their rows", roles: READING_ROLES },
  { id: "tables.write", title: "Add, change and delete rows of tables", roles: RUNNING_ROLES },
  { id: "tables.create", title: "Make tables", roles: ["editor"] },
  { id: "tables.update", title: "Change names and columns of tables", roles: ["editor"] },
  { id: "tables.delete", title: "Delete tables with all their rows", roles: ["editor"] },
  { id: "table-tools.read", title: "See what agents may do with tables", roles: READING_ROLES },
  { id: "table-tools.manage", title: "Decide what agents may do with tables" },
  { id: USE_TOOLS, title: "Use the tools of tables", roles: RUNNING_ROLES },
];
