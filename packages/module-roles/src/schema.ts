export { apiKeys } from "./tables/api-keys.table.ts";
export { setupLink } from "./tables/setup.table.ts";
export { accounts, sessions, users, verifications } from "./tables/users.table.ts";
