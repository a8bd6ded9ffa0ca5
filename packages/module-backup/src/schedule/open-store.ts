import type { BackupStore } from "./backup-store.ts";
import type { BackupSchedule } from "./backup-variables.ts";
import { openDirectory } from "./directory-store.ts";
import { openBucket } from "./s3-store.ts";

/** Where the backups of a schedule go. Nothing is made or asked before it is used. */
export function openStore({ to }: Pick<BackupSchedule, "to">): BackupStore {
  return "directory" in to ? openDirectory(to.directory) : openBucket(to.s3);
}
