import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { checkBackup } from "@oven/db/backup";
import { type BackupStore, isBackupName } from "./backup-store.ts";

const UNFINISHED = ".partial";

/** Backups in a directory, each readable by this user only. A file gets its name once it has been read back. */
export function openDirectory(path: string): BackupStore {
  return {
    name: path,
    list: async () => (existsSync(path) ? readdir(path) : []),
    write: async (name: string, stream: Readable) => {
      const partial = join(path, `${name}${UNFINISHED}`);
      try {
        await mkdir(path, { recursive: true, mode: 0o700 });
        await pipeline(stream, createWriteStream(partial, { mode: 0o600, flush: true }));
        await checkBackup(partial);
        await rename(partial, join(path, name));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    remove: (name) => rm(join(path, name), { force: true }),
    clear: async () => {
      const names = (existsSync(path) ? await readdir(path) : [])
        .filter((name) => name.endsWith(UNFINISHED))
        .map((name) => name.slice(0, -UNFINISHED.length))
        .filter(isBackupName);
      for (const name of names) await rm(join(path, `${name}${UNFINISHED}`), { force: true });
      return names;
    },
  };
}
