export { createBackupModule } from "./backup.module.ts";
export { signBackupToken } from "./backup-token.ts";
export { openSecret, sealSecret } from "./secret/sealed-secret.ts";
