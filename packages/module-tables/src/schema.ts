export { userTableKeys, userTableRows, userTableWrites } from "./tables/user-table-rows.table.ts";
export { userTableTools } from "./tables/user-table-tools.table.ts";
export { userTableSizes, userTables } from "./tables/user-tables.table.ts";
