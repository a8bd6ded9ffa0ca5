import type { Database } from "../database.ts";
import { readTables } from "./catalogue.ts";
import { readBackup } from "./read-backup.ts";
import { digestTable, fixTexts } from "./row-lines.ts";

/**
 * Whether a database has exactly the rows of a backup.
 * @throws OvenError BACKUP_DAMAGED
 */
export async function isUnchanged(db: Database, path: string): Promise<boolean> {
  const ends = new Map<string, string>();
  for await (const part of readBackup(path)) if (part.kind === "end") ends.set(part.end.end, part.end.sha256);
  return db.system.transaction(async (tx) => {
    await fixTexts(tx);
    const tables = await readTables(tx);
    if (tables.length !== ends.size) return false;
    for (const table of tables) if ((await digestTable(tx, table)).sha256 !== ends.get(table.name)) return false;
    return true;
  });
}
