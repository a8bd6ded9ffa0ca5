export type { OidcSettings } from "./access/auth.ts";
export { type AccessService, createRolesModule, type RolesOptions } from "./roles.module.ts";
