import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { OvenError } from "@oven/contract";
import type { BackupHeader } from "@oven/contract/system";
import { dropEmptyVariables, findSecret, readDatabaseSettings } from "@oven/installation/environment";
import { readPassphrase } from "./backup/read-passphrase.ts";
import { progressLines, progressText } from "./backup/show-progress.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  check: { type: "boolean", default: false },
  "passphrase-file": { type: "string" },
  "secret-later": { type: "boolean", default: false },
} as const;

/** An installation from a backup, in an empty database; goes on where it was stopped when it is called again. */
export const restoreCommand: OvenCommand = {
  name: "restore",
  usage:
    "restore <file> [--check] [--passphrase-file …] [--secret-later]   (with the environment of the server that is to run on it)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new Error(`usage: pnpm oven ${restoreCommand.usage}`);
    if (values.check) return showBackup(file, write);
    return restoreFile(
      { ...process.env },
      { file, passphraseFile: values["passphrase-file"], secretLater: values["secret-later"] },
      write,
    );
  },
};

export interface RestoreArguments {
  file: string;
  passphraseFile?: string | undefined;
  /** Restores although the secret is not at hand. */
  secretLater?: boolean;
}

type Write = (text: string) => void;

async function showBackup(file: string, write: Write): Promise<number> {
  const { checkBackup } = await import("@oven/db/backup");
  const { header, total } = await checkBackup(file);
  const { version, madeAt, database, secret } = header;
  const counts = `${total.tables} tables, ${total.rows.toLocaleString("en")} rows`;
  const sealed = secret.sealed === undefined ? "is not in it" : "is in it, sealed with a passphrase";
  write(`${file} is whole: made ${madeAt} by OVEN ${version} (${database}), ${counts}. The secret ${sealed}.\n`);
  return 0;
}

export async function restoreFile(
  variables: Record<string, string | undefined>,
  { file, passphraseFile, secretLater = false }: RestoreArguments,
  write: Write,
): Promise<number> {
  dropEmptyVariables(variables);
  const { databaseUrl: url, databaseUrlDirect: directUrl, dataDir } = readDatabaseSettings(variables);
  const [{ connectDatabase }, { readBackupHeader, restoreBackup, restoreDataDir }, { installedModules }, registry] =
    await Promise.all([
      import("@oven/db"),
      import("@oven/db/backup"),
      import("@oven/installation"),
      import("@oven/module-registry"),
    ]);
  const { secret } = await readBackupHeader(file);
  const found = findSecret(variables);
  const opened = found ?? (await openSealed(secret, passphraseFile));
  requireRight(opened, secret, registry.secretFingerprint, { dataDir, secretLater });
  const say = progressLines(write);
  const options = {
    sets: registry.migrationSetsOf(installedModules({ demo: true })),
    onProgress: (progress: Parameters<typeof progressText>[0] & { step: string }) =>
      say(`${progress.step === "restore" ? "restoring" : "comparing"} ${progressText(progress)}`),
  };
  let restored: Awaited<ReturnType<typeof restoreBackup>>;
  if (url === undefined) restored = await restoreDataDir(dataDir, file, options);
  else {
    const db = await connectDatabase({ url, directUrl, dataDir });
    try {
      restored = await restoreBackup(db, file, options);
    } finally {
      await db.close();
    }
  }
  if (found === undefined && opened !== undefined) writeSecret(dataDir, opened);
  const { header, total } = restored;
  write(
    `Restored ${total.tables} tables with ${total.rows.toLocaleString("en")} rows, each compared with the backup of ${header.madeAt} (OVEN ${header.version}).\n`,
  );
  write(
    opened === undefined
      ? `The server must start with the secret of the backup (fingerprint ${secret.fingerprint}): set OVEN_SECRET, or write it to ${join(dataDir, "secret")}.\n`
      : "Start the server; it applies migrations that are newer than the backup. Run `pnpm oven doctor` before.\n",
  );
  return 0;
}

async function openSealed(
  { sealed }: BackupHeader["secret"],
  passphraseFile: string | undefined,
): Promise<string | undefined> {
  if (sealed === undefined || passphraseFile === undefined) return undefined;
  const { openSecret } = await import("@oven/module-backup");
  return openSecret(sealed, await readPassphrase(passphraseFile));
}

/** @throws OvenError SECRET_OF_ANOTHER, SECRET_MISSING */
function requireRight(
  secret: string | undefined,
  { fingerprint, sealed }: BackupHeader["secret"],
  toFingerprint: (secret: string) => string,
  { dataDir, secretLater }: { dataDir: string; secretLater: boolean },
): void {
  if (secret !== undefined && toFingerprint(secret) !== fingerprint)
    throw new OvenError("SECRET_OF_ANOTHER", "The secret at hand is not the one of the backup", {
      fix: `Set OVEN_SECRET to the one with the fingerprint ${fingerprint}, or restore with another OVEN_DATA_DIR. Nothing was changed.`,
    });
  if (secret !== undefined || secretLater) return;
  const passphrase = sealed === undefined ? "" : ", or name the file with the passphrase with --passphrase-file";
  throw new OvenError(
    "SECRET_MISSING",
    "The secret of the backup is not at hand, and nothing that it seals can be read without",
    {
      fix: `Set OVEN_SECRET, or write it to ${join(dataDir, "secret")}${passphrase}. With --secret-later it is restored without. Nothing was changed.`,
    },
  );
}

function writeSecret(dataDir: string, secret: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, "secret"), `${secret}\n`, { mode: 0o600, flag: "wx" });
}
