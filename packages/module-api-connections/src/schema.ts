export { apiAccounts } from "./tables/api-accounts.table.ts";
export { apiConnections } from "./tables/api-connections.table.ts";
export { apiOperations } from "./tables/api-operations.table.ts";
export { apiSignIns } from "./tables/api-sign-ins.table.ts";
