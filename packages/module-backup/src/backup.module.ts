import { defineModule, type ModuleDefinition, type ModuleDeps } from "@oven/module-registry";
import { backupRoutes } from "./backup.routes.ts";

/** Backups of the installation, taken beside the running server: on request and by schedule. */
export function createBackupModule(): ModuleDefinition {
  let deps: ModuleDeps | undefined;
  const ready = () => {
    if (deps === undefined) throw new Error("module-backup was not started by a runtime");
    return deps;
  };
  return defineModule({
    name: "module-backup",
    namespace: "backup",
    description: "Backups of the installation, on request and by schedule.",
    dependencies: ["module-registry"],
    routes: backupRoutes(ready),
    services: async (given) => {
      deps = given;
      return {};
    },
  });
}
