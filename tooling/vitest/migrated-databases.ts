import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Database, type MigrationSet, migrate } from "@oven/db";
import { createTestPglite, createTestPostgres } from "@oven/db/testing";
import { installedModules } from "../../packages/installation/src/modules.ts";
import { BossQueue } from "../../packages/module-workflows/src/runtime/boss-queue.ts";

/*
 * Test databases begin with the tables of all modules and of the queue: these are made once for a run, not once for each of some hundred
 * databases. Whoever migrates one finds nothing missing.
 */

function allMigrations(): MigrationSet[] {
  return [
    { name: "module-registry", folder: new URL("../../packages/module-registry/migrations", import.meta.url) },
    ...installedModules({ demo: true }).flatMap(({ name, migrations }) =>
      migrations === undefined || name === "module-registry" ? [] : [{ name, folder: migrations }],
    ),
  ];
}

async function fill(db: Database, sets: readonly MigrationSet[]): Promise<void> {
  await migrate(db, sets);
  const queue = new BossQueue(db);
  await queue.start();
  await queue.stop();
  // This process works on none of them.
  await db.query("delete from pgboss.instance");
}

/** Makes both, and tells the processes of the tests by their environment. Returns how to remove them. */
export async function makeMigratedDatabases(serverUrl: string): Promise<() => Promise<void>> {
  const sets = allMigrations();
  const directory = mkdtempSync(join(tmpdir(), "oven-migrated-"));
  const embedded = await createTestPglite({ migrated: false });
  await fill(embedded, sets);
  // Two thirds of the files, which no test needs, and each would unpack.
  await embedded.query("update pg_database set datistemplate = false");
  await embedded.query("drop database template0");
  await embedded.query("drop database template1");
  if (!("pglite" in embedded.native)) throw new Error("the embedded database has no file");
  // Made at each start, and far more than a test fills.
  await embedded.query("alter system set shared_buffers = '4MB'");
  const dump = await embedded.native.pglite.dumpDataDir("none");
  await embedded.close();
  const snapshot = join(directory, "pglite.tar");
  writeFileSync(snapshot, Buffer.from(await dump.arrayBuffer()));

  const { url, drop } = await createTestPostgres(serverUrl, { migrated: false });
  const db = await connectDatabase({ url, dataDir: "unused" });
  await fill(db, sets);
  await db.close();
  process.env.OVEN_TEST_SNAPSHOT = snapshot;
  process.env.OVEN_TEST_TEMPLATE = new URL(url).pathname.slice(1);
  return async () => {
    rmSync(directory, { recursive: true, force: true });
    await drop();
  };
}
