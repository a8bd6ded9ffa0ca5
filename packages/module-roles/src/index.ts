export type { OidcSettings } from "./access/auth.ts";
export { PERMISSIONS_OF_U } from "./access/grants.ts";
export { fromKeyPermissions } from "./keys/key-format.ts";
export { type AccessService, createRolesModule, type RolesOptions } from "./roles.module.ts";
export { isSetupOpen } from "./setup/first-admin.ts";
export { signSetupToken } from "./setup/signed-setup-token.ts";
export { TENANT_OF_U_IS_OPEN } from "./tenants/tenant-is-open.ts";
