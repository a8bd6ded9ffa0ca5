import { createSystemModule, type ModuleDefinition } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";

/** Every module of this installation, in the order in which they depend on each other. */
export function installedModules(_options: { demo: boolean }): ModuleDefinition[] {
  return [createSystemModule(), createRolesModule()];
}
