export { type AccessService, createRolesModule } from "./roles.module.ts";
