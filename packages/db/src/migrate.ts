import { fileURLToPath } from "node:url";
import { migrate as migrateNodePostgres } from "drizzle-orm/node-postgres/migrator";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import type { Database } from "./database.ts";

export interface MigrationSet {
  /** Module name; its applied migrations are listed in `oven_migrations_<name>`. */
  name: string;
  folder: URL;
}

/** Any constant: the key of the advisory lock that lets one process migrate at a time. */
const LOCK_KEY = 7_358_120_011;

/** Applies what is missing of each set, in the given order. */
export async function migrate(db: Database, sets: readonly MigrationSet[]): Promise<void> {
  await db.transaction(async (lock) => {
    // Held on its own connection; on PGlite there is one connection and one process.
    if (db.dialect === "postgres") {
      await lock.query("select pg_advisory_xact_lock($1)", [LOCK_KEY]);
      await applyAll(db, sets);
    }
  });
  if (db.dialect === "pglite") await applyAll(db, sets);
}

async function applyAll(db: Database, sets: readonly MigrationSet[]): Promise<void> {
  for (const set of sets) {
    const config = {
      migrationsFolder: fileURLToPath(set.folder),
      migrationsSchema: "public",
      migrationsTable: `oven_migrations_${set.name.replaceAll("-", "_")}`,
    };
    // cast: `Orm` hides the driver's row kind, which the migrators ask for but do not use
    if (db.dialect === "pglite") await migratePglite(db.orm as never, config);
    else await migrateNodePostgres(db.orm as never, config);
  }
}
