import { chmodSync, type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What OVEN makes in its data directory. Nothing else in it is touched: people put it where other things are. */
const OWN =
  /^(pglite|pglite-restoring|pglite-snapshot-.+|secret|moved-to-postgresql|move\.backup(\.partial)?|oven\.lock(\..+)?)$/;
const OTHERS = 0o077;

/**
 * Takes the rights of group and others from what an earlier version made, and from the data directory itself when it holds
 * nothing else; what is made now is private from the start. Says so in one line when there was something to take.
 */
export function makeDataDirPrivate(dataDir: string): void {
  const count = { files: 0, folders: 0 };
  const failures: string[] = [];
  const mend = (path: string) => {
    const mode = modeOf(path);
    if (mode === undefined || (mode.bits & OTHERS) === 0) return;
    try {
      chmodSync(path, mode.isFolder ? 0o700 : 0o600);
      if (mode.isFolder) count.folders++;
      else count.files++;
    } catch (error) {
      // The folder belongs to another user, or its file system has no permissions. OVEN works there all the same.
      failures.push(error instanceof Error ? error.message : String(error));
    }
  };
  const entries = list(dataDir);
  const own = entries.filter(({ name }) => OWN.test(name));
  if (own.length > 0 && own.length === entries.length) mend(dataDir);
  for (const { name } of own) mend(join(dataDir, name));
  for (const entry of list(join(dataDir, "pglite"), true)) mend(join(entry.parentPath, entry.name));
  if (count.files + count.folders > 0)
    console.warn(
      `the data directory ${dataDir} was open to other users of this machine: ${count.files} files and ${count.folders} folders are private now`,
    );
  if (failures.length > 0)
    console.warn(
      `the data directory ${dataDir} stays open to other users of this machine, ${failures.length} times: ${failures[0]}`,
    );
}

function list(folder: string, recursive = false): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive });
  } catch (error) {
    // What cannot be listed is reported by the lock, or made by this user.
    if (isAway(error)) return [];
    throw error;
  }
}

/** Undefined for symbolic links, whose own permissions mean nothing, and for what has gone meanwhile. */
function modeOf(path: string): { bits: number; isFolder: boolean } | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return undefined;
  return { bits: stats.mode, isFolder: stats.isDirectory() };
}

function isAway(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR", "EACCES"].includes(String(error.code));
}
