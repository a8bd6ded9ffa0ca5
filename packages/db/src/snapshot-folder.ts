import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const PREFIX = "pglite-snapshot-";

/** A name for a copy of the embedded database, beside it. */
export function snapshotFolder(dataDir: string): string {
  return join(dataDir, `${PREFIX}${randomUUID()}`);
}

/** Removes the copies of a process that ended while it read them. To be called under the lock of the directory. */
export function removeSnapshots(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  for (const name of readdirSync(dataDir))
    if (name.startsWith(PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true });
}
