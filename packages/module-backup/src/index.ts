export { createBackupModule } from "./backup.module.ts";
export { signBackupToken } from "./backup-token.ts";
export { newestBackup } from "./schedule/backup-store.ts";
export { readSchedule } from "./schedule/backup-variables.ts";
export { openStore } from "./schedule/open-store.ts";
export { openSecret, sealSecret } from "./secret/sealed-secret.ts";
