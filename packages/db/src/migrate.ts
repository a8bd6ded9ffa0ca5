import { fileURLToPath } from "node:url";
import { OVEN_VERSION } from "@oven/contract";
import { migrate as migrateNodePostgres } from "drizzle-orm/node-postgres/migrator";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import { listApplied, missingOf, recordMigrations, requireKnownMigrations } from "./applied-migrations.ts";
import type { Database } from "./database.ts";
import { type MigrationSet, migrationsTableOf, readMigrations } from "./migration-files.ts";

/** Any constant: the key of the advisory lock that lets one process migrate at a time. */
const LOCK_KEY = 7_358_120_011;

/**
 * Applies what is missing of each set, in the given order.
 * @param version of this OVEN, recorded with what it applies
 * @throws OvenError DATABASE_NEWER, before anything is applied
 */
export async function migrate(db: Database, sets: readonly MigrationSet[], version = OVEN_VERSION): Promise<void> {
  await db.transaction(async (lock) => {
    // Held on its own connection; on PGlite there is one connection and one process.
    if (db.dialect === "postgres") {
      await lock.query("select pg_advisory_xact_lock($1)", [LOCK_KEY]);
      await applyAll(db, sets, version);
    }
  });
  if (db.dialect === "pglite") await applyAll(db, sets, version);
}

async function applyAll(db: Database, sets: readonly MigrationSet[], version: string): Promise<void> {
  const applied = await listApplied(db, sets);
  await requireKnownMigrations(db, sets, applied, version);
  for (const set of sets) {
    const config = {
      migrationsFolder: fileURLToPath(set.folder),
      migrationsSchema: "public",
      migrationsTable: migrationsTableOf(set),
    };
    // cast: `Orm` hides the driver's row kind, which the migrators ask for but do not use
    if (db.dialect === "pglite") await migratePglite(db.orm as never, config);
    else await migrateNodePostgres(db.orm as never, config);
    await recordMigrations(db, set, missingOf(set.name, readMigrations(set), applied), version);
  }
}
