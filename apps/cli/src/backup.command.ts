import { createWriteStream, existsSync } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { isOvenError } from "@oven/contract";
import type { SealedSecret } from "@oven/contract/system";
import { dropEmptyVariables, readDatabaseSettings, readInstallationSecret } from "@oven/installation/environment";
import { signBackupToken } from "@oven/module-backup";
import { readPassphrase } from "./backup/read-passphrase.ts";
import { partialOf, removeStopped } from "./backup/remove-stopped.ts";
import { progressLines, progressText, toMegabytes } from "./backup/show-progress.ts";
import type { OvenCommand } from "./oven-command.ts";
import { serverAddress } from "./server-address.ts";

const OPTIONS = { url: { type: "string" }, "passphrase-file": { type: "string" } } as const;

/** A file with everything that an installation has, beside the running server. */
export const backupCommand: OvenCommand = {
  name: "backup",
  usage:
    "backup <file> [--passphrase-file …] [--url http://…]   (with the server's environment; the secret is in it only with a passphrase)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new Error(`usage: pnpm oven ${backupCommand.usage}`);
    return makeBackup({ ...process.env }, { file, url: values.url, passphraseFile: values["passphrase-file"] }, write);
  },
};

export interface BackupArguments {
  file: string;
  /** A server to be asked, where it is not the one of the environment. */
  url?: string | undefined;
  passphraseFile?: string | undefined;
}

type Write = (text: string) => void;
type Settings = ReturnType<typeof readDatabaseSettings> & ReturnType<typeof readInstallationSecret>;

export async function makeBackup(
  variables: Record<string, string | undefined>,
  { file, url, passphraseFile }: BackupArguments,
  write: Write,
): Promise<number> {
  dropEmptyVariables(variables);
  if (existsSync(file)) throw new Error(`${file} is there already`);
  const settings = { ...readDatabaseSettings(variables), ...readInstallationSecret(variables) };
  const sealed = passphraseFile === undefined ? undefined : await seal(settings.secret, passphraseFile);
  const { checkBackup } = await import("@oven/db/backup");
  const partial = partialOf(file);
  await removeStopped(file, write);
  try {
    if (url === undefined) await fromDatabase(settings, sealed, partial, write);
    else await fromServer(url, settings, sealed, partial, write);
    const { total } = await checkBackup(partial);
    await rename(partial, file);
    const { size } = await stat(file);
    const counts = `${total.tables} tables, ${total.rows.toLocaleString("en")} rows, ${toMegabytes(size)}`;
    write(`Wrote ${file} and read it back: ${counts}.\n`);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  write(
    sealed === undefined
      ? "The secret is not in it, and nothing that it seals can be read without: store it in another place (OVEN_SECRET, or the file secret in OVEN_DATA_DIR).\n"
      : "The secret is in it, sealed with the passphrase.\n",
  );
  return 0;
}

async function seal(secret: string, passphraseFile: string): Promise<SealedSecret> {
  const { sealSecret } = await import("@oven/module-backup");
  return sealSecret(secret, await readPassphrase(passphraseFile));
}

/** The embedded database belongs to the server that runs on it, which then makes the backup. */
async function fromDatabase(
  settings: Settings,
  sealed: SealedSecret | undefined,
  partial: string,
  write: Write,
): Promise<void> {
  const { databaseUrl: url, databaseUrlDirect: directUrl, dataDir, secret } = settings;
  if (url === undefined && !existsSync(join(dataDir, "pglite")))
    throw new Error(`There is no database in ${dataDir}: set OVEN_DATA_DIR or DATABASE_URL as the server has them`);
  const [{ connectDatabase }, { openBackup }, { secretFingerprint }] = await Promise.all([
    import("@oven/db"),
    import("@oven/db/backup"),
    import("@oven/module-registry"),
  ]);
  let db: Awaited<ReturnType<typeof connectDatabase>>;
  try {
    db = await connectDatabase({ url, directUrl, dataDir });
  } catch (error) {
    if (!isOvenError(error) || error.code !== "DATA_DIR_LOCKED") throw error;
    return fromServer(serverAddress(settings), settings, sealed, partial, write);
  }
  try {
    const say = progressLines(write);
    const { stream, done } = openBackup(db, {
      secret: { fingerprint: secretFingerprint(secret), ...(sealed === undefined ? {} : { sealed }) },
      onProgress: (progress) => say(progressText(progress)),
    });
    await Promise.all([pipeline(stream, toFile(partial)), done]);
  } finally {
    await db.close();
  }
}

async function fromServer(
  url: string,
  { secret }: Pick<Settings, "secret">,
  sealed: SealedSecret | undefined,
  partial: string,
  write: Write,
): Promise<void> {
  const response = await fetch(`${url.replace(/\/+$/, "")}/api/installation/backups`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: signBackupToken(secret, Date.now()), ...(sealed === undefined ? {} : { sealed }) }),
  }).catch((error: unknown) => {
    throw new Error(`The server at ${url} does not answer; name it by PORT and OVEN_HOST, or --url`, { cause: error });
  });
  if (!response.ok || response.body === null)
    throw new Error(`The server at ${url} made no backup (${response.status}): ${await response.text()}`);
  const say = progressLines(write);
  let bytes = 0;
  await pipeline(
    Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), // cast: the same stream, by two sets of types
    async function* count(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        say(`${toMegabytes(bytes)} from ${url}`);
        yield chunk;
      }
    },
    toFile(partial),
  );
}

/** For this user only: it has password hashes and the contents of all runs. */
function toFile(path: string) {
  return createWriteStream(path, { mode: 0o600, flush: true });
}
