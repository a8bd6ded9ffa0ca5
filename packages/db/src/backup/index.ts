export { isUnchanged } from "./is-unchanged.ts";
export { openBackup } from "./open-backup.ts";
export { checkBackup, readBackupHeader } from "./read-backup.ts";
export { type RestoreOptions, restoreBackup } from "./restore-backup.ts";
export { restoreDataDir } from "./restore-data-dir.ts";
export type { BackupContent, Progress } from "./write-backup.ts";
