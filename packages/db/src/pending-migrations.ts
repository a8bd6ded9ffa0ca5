import { listApplied, missingOf } from "./applied-migrations.ts";
import type { Queryable } from "./database.ts";
import { type MigrationFile, type MigrationSet, readMigrations } from "./migration-files.ts";

/**
 * Migrations of this code that the database has not applied, as `module/tag`: a backup from before an upgrade was put back, or the
 * database is another one. The files are read once.
 */
export function createPendingMigrations(sets: readonly MigrationSet[]): (db: Queryable) => Promise<string[]> {
  let files: Map<string, readonly MigrationFile[]> | undefined;
  return async (db) => {
    files ??= new Map(sets.map((set) => [set.name, readMigrations(set)]));
    const applied = await listApplied(db, sets);
    return [...files].flatMap(([name, own]) => missingOf(name, own, applied).map(({ tag }) => `${name}/${tag}`));
  };
}
