import type { InstallationApi } from "../installation-api.ts";
import { type ComparedFile, compareSides } from "./compare-sides.ts";
import { isFolder, readFolder } from "./folder.ts";
import { readServer, type ServerSide } from "./installation.ts";
import { type Base, baseOf, readLock } from "./lock-file.ts";
import type { SyncItems } from "./sync-item.ts";

/** A folder and a server, and when they were last in step. */
export interface Sides {
  dir: string;
  api: InstallationApi;
  /** The server's name in the lock file. */
  name: string;
  files: SyncItems;
  server: ServerSide;
  base: Base;
  compared: ComparedFile[];
}

/**
 * @param baseDir a folder as it was when both were in step, instead of what the lock file says
 * @throws Error for a folder that is not there, or a file that cannot be read
 */
export async function readSides(
  api: InstallationApi,
  given: { dir: string; url: string; baseDir: string | undefined; mustExist: boolean },
): Promise<Sides> {
  const { dir, baseDir } = given;
  // A name with a mistake in it would look like a folder from which everything was deleted.
  for (const folder of [...(given.mustExist ? [dir] : []), ...(baseDir === undefined ? [] : [baseDir])])
    if (!(await isFolder(folder))) throw new Error(`there is no folder ${folder}`);
  const name = nameOf(given.url);
  const files = await readFolder(dir);
  const base =
    baseDir === undefined
      ? baseOf(await readLock(dir), name)
      : new Map([...(await readFolder(baseDir))].map(([path, { hash }]) => [path, hash]));
  const server = await readServer(api);
  const compared = compareSides(files, server.items, base, new Set(server.notExported.keys()));
  return { dir, api, name, files, server, base, compared };
}

/** The same for every way to write an address; never with a password. */
function nameOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}
