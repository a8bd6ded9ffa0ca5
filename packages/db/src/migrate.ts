import { fileURLToPath } from "node:url";
import { OVEN_VERSION, OvenError } from "@oven/contract";
import { migrate as migrateNodePostgres } from "drizzle-orm/node-postgres/migrator";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import { listApplied, missingOf, recordMigrations, requireKnownMigrations } from "./applied-migrations.ts";
import { RESTORE_TABLE } from "./backup/catalogue.ts";
import type { Database } from "./database.ts";
import { type MigrationSet, migrationsTableOf, readMigrations } from "./migration-files.ts";

/** Any constant: the key of the advisory lock that lets one process migrate at a time. */
const LOCK_KEY = 7_358_120_011;

/**
 * Applies what is missing of each set, in the given order.
 * @param version of this OVEN, recorded with what it applies
 * @throws OvenError DATABASE_NEWER, RESTORE_UNFINISHED, before anything is applied
 */
export async function migrate(db: Database, sets: readonly MigrationSet[], version = OVEN_VERSION): Promise<void> {
  await requireNoRestore(db);
  await applyMigrations(db, sets, version);
}

/** The same for a restore, which makes the tables that it fills. */
export async function applyMigrations(
  db: Database,
  sets: readonly MigrationSet[],
  version = OVEN_VERSION,
): Promise<void> {
  await db.transaction(async (lock) => {
    // Held on its own connection; on PGlite there is one connection and one process.
    if (db.dialect === "postgres") {
      await lock.query("select pg_advisory_xact_lock($1)", [LOCK_KEY]);
      await applyAll(db, sets, version);
    }
  });
  if (db.dialect === "pglite") await applyAll(db, sets, version);
}

/** @throws OvenError RESTORE_UNFINISHED */
async function requireNoRestore(db: Database): Promise<void> {
  const [row] = await db.query<{ found: boolean }>(
    `select to_regclass('public.${RESTORE_TABLE}') is not null as found`,
  );
  if (row?.found !== true) return;
  throw new OvenError(
    "RESTORE_UNFINISHED",
    "A backup is being restored into this database, or its restore was stopped",
    {
      status: 503,
      fix: "Run `oven restore` or `oven move` again as before: it goes on where it stopped.",
    },
  );
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
