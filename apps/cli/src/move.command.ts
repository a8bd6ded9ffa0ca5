import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import type { Database } from "@oven/db";
import type { BackupContent } from "@oven/db/backup";
import { dropEmptyVariables, readDatabaseSettings, readInstallationSecret } from "@oven/installation/environment";
import { progressLines, progressText } from "./backup/show-progress.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = { to: { type: "string" } } as const;

/** The embedded database to PostgreSQL; goes on where it was stopped when it is called again. */
export const moveCommand: OvenCommand = {
  name: "move",
  usage:
    "move --to postgres://…   (with the environment of the stopped server; the password may be in PGPASSWORD instead)",
  async run(args, write) {
    const { values } = parseArgs({ args, options: OPTIONS });
    if (values.to === undefined) throw new Error(`usage: pnpm oven ${moveCommand.usage}`);
    return moveDatabase({ ...process.env }, values.to, write);
  },
};

type Write = (text: string) => void;

export async function moveDatabase(
  variables: Record<string, string | undefined>,
  to: string,
  write: Write,
): Promise<number> {
  dropEmptyVariables(variables);
  if (!/^postgres(ql)?:\/\//.test(to)) throw new Error("--to: write the address of the new database, postgres://…");
  const { databaseUrl, dataDir } = readDatabaseSettings(variables);
  if (databaseUrl !== undefined)
    throw new Error(
      "DATABASE_URL is set, and only an embedded database is moved. From PostgreSQL to PostgreSQL, use `oven backup` and `oven restore`.",
    );
  if (!existsSync(join(dataDir, "pglite"))) throw new Error(`There is no database in ${dataDir}: set OVEN_DATA_DIR`);
  const { secret } = readInstallationSecret(variables);
  const [{ connectDatabase, markMoved }, { restoreBackup }, { installedModules }, registry] = await Promise.all([
    import("@oven/db"),
    import("@oven/db/backup"),
    import("@oven/installation"),
    import("@oven/module-registry"),
  ]);
  const sets = registry.migrationSetsOf(installedModules({ demo: true }));
  const say = progressLines(write);
  // Its lock is held until the end: no process may go on here with what was moved.
  const from = await connectDatabase({ url: undefined, dataDir });
  try {
    const file = join(dataDir, "move.backup");
    await writeOnce(from, file, {
      secret: { fingerprint: registry.secretFingerprint(secret) },
      onProgress: (progress) => say(`reading ${progressText(progress)}`),
    });
    const target = await connectDatabase({ url: to, dataDir });
    try {
      const { total } = await restoreBackup(target, file, {
        sets,
        onProgress: (progress) =>
          say(`${progress.step === "restore" ? "writing" : "comparing"} ${progressText(progress)}`),
      });
      write(
        `Moved ${total.tables} tables with ${total.rows.toLocaleString("en")} rows; both databases have the same.\n`,
      );
    } finally {
      await target.close();
    }
    markMoved(dataDir);
    await rm(file);
  } finally {
    await from.close();
  }
  write(
    `Start the server with DATABASE_URL set to the new database and the same OVEN_DATA_DIR, where its secret is. The embedded database stays in ${dataDir} as it was.\n`,
  );
  return 0;
}

/** What was written by a move that was stopped is good as long as nothing was changed since. */
async function writeOnce(db: Database, file: string, content: BackupContent): Promise<void> {
  const { isUnchanged, openBackup } = await import("@oven/db/backup");
  if (existsSync(file) && (await isUnchanged(db, file))) return;
  const { stream, done } = openBackup(db, content);
  await Promise.all([pipeline(stream, createWriteStream(`${file}.partial`, { mode: 0o600, flush: true })), done]);
  await rename(`${file}.partial`, file);
}
