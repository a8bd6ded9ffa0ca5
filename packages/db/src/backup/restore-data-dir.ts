import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOvenError } from "@oven/contract";
import { lockDataDir } from "../data-dir-lock.ts";
import type { Database } from "../database.ts";
import { openFiles, wrapPglite } from "../pglite-database.ts";
import { hasBegun, notEmpty, type RestoreOptions, restoreBackup } from "./restore-backup.ts";

/**
 * Makes the embedded database of a data directory from a backup. It is made beside its place and moved there when it is whole, so that
 * a server that starts meanwhile finds all of it or none. A restore that was stopped goes on when it is called again with the same file.
 * @throws OvenError as `restoreBackup`; DATA_DIR_LOCKED, DATA_DIR_UNUSABLE
 */
export async function restoreDataDir(
  dataDir: string,
  path: string,
  options: RestoreOptions,
): ReturnType<typeof restoreBackup> {
  const lock = await lockDataDir(dataDir);
  try {
    const place = join(dataDir, "pglite");
    if (existsSync(place)) throw notEmpty(`${place} is there`);
    const beside = join(dataDir, "pglite-restoring");
    const db = await openBeside(beside);
    let restored: Awaited<ReturnType<typeof restoreBackup>>;
    try {
      restored = await restoreBackup(db, path, options);
    } finally {
      await db.close();
    }
    renameSync(beside, place);
    return restored;
  } finally {
    lock.release();
  }
}

/** A restore that was stopped before it began or after its end, or in the making of the database, begins anew. */
async function openBeside(folder: string): Promise<Database> {
  if (existsSync(folder)) {
    const found = await tryOpen(folder);
    if (found !== undefined && (await hasBegun(found))) return found;
    await found?.close();
    rmSync(folder, { recursive: true });
  }
  return wrapPglite(await openFiles(folder));
}

async function tryOpen(folder: string): Promise<Database | undefined> {
  try {
    return wrapPglite(await openFiles(folder));
  } catch (error) {
    if (isOvenError(error)) throw error;
    console.warn(`a restore was stopped while it made its database, and begins anew: ${String(error)}`);
    return undefined;
  }
}
