import { defineModule, type ModuleDefinition, type ModuleDeps, NO_PERSON_DATA } from "@oven/module-registry";
import { backupRoutes } from "./backup.routes.ts";
import { backupVariables, readSchedule } from "./schedule/backup-variables.ts";
import { openStore } from "./schedule/open-store.ts";
import { ScheduledBackups } from "./schedule/scheduled-backups.ts";

/** Backups of the installation, taken beside the running server: on request and by schedule. */
export function createBackupModule(): ModuleDefinition {
  let deps: ModuleDeps | undefined;
  let scheduled: ScheduledBackups | undefined;
  const ready = () => {
    if (deps === undefined) throw new Error("module-backup was not started by a runtime");
    return deps;
  };
  return defineModule({
    name: "module-backup",
    namespace: "backup",
    description: "Backups of the installation, on request and by schedule.",
    dependencies: ["module-registry"],
    personData: NO_PERSON_DATA,
    variables: backupVariables,
    routes: backupRoutes(ready),
    services: async (given) => {
      deps = given;
      const schedule = readSchedule(given.environment.variables);
      if (schedule !== undefined)
        scheduled = new ScheduledBackups({ deps: given, schedule, store: openStore(schedule) });
      return {};
    },
    start: async () => scheduled?.start(),
    stop: async () => scheduled?.stop(),
  });
}
