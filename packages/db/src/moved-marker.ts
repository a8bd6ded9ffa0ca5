import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OvenError } from "@oven/contract";

const NAME = "moved-to-postgresql";

/** Notes in a data directory that its database goes on in PostgreSQL: two installations would fire the same timers. */
export function markMoved(dataDir: string): void {
  const text =
    "The database in this folder was moved to PostgreSQL by `oven move`. Delete this file to start on it again.\n";
  writeFileSync(join(dataDir, NAME), text, { mode: 0o600 });
}

/** @throws OvenError DATA_DIR_MOVED */
export function requireNotMoved(dataDir: string): void {
  const path = join(dataDir, NAME);
  if (!existsSync(path)) return;
  throw new OvenError("DATA_DIR_MOVED", `The database in ${dataDir} was moved to PostgreSQL`, {
    status: 503,
    fix: `Set DATABASE_URL to where it was moved to. To go back to how it was before the move, stop that server and delete ${path}.`,
  });
}
