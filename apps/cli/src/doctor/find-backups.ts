import { newestBackup, openStore, readSchedule } from "@oven/module-backup";
import type { ModuleDefinition } from "@oven/module-registry";
import { readVariables } from "@oven/module-registry";
import { type Finding, ofInstallation } from "./finding.ts";

/** Whether the newest scheduled backup is as new as it should be. */
export async function findBackups(
  variables: Readonly<Record<string, string | undefined>>,
  modules: readonly ModuleDefinition[],
  now: number = Date.now(),
): Promise<Finding[]> {
  const schedule = readSchedule(readVariables(modules, variables));
  if (schedule === undefined) return [];
  const store = openStore(schedule);
  const add = (problem: string, fix: string) => [ofInstallation("backups in", store.name, problem, fix)];
  let newest: Date | undefined;
  try {
    newest = await newestBackup(store);
  } catch (error) {
    return add(`they cannot be listed: ${String(error)}`, "Correct OVEN_BACKUP_TO and what belongs to it.");
  }
  if (newest === undefined)
    return add("there is none", "Look into the server's log for why, or run `pnpm oven backup`.");
  if (now - newest.getTime() <= 2 * schedule.everyMs) return [];
  return add(`the newest is of ${newest.toISOString()}`, "Look into the server's log for why there is no newer one.");
}
