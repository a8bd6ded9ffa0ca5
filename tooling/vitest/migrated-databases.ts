import { connectDatabase, type Database, type MigrationSet, migrate } from "@oven/db";
import { createTestPostgres, writeSnapshot } from "@oven/db/testing";
import { installedModules } from "../../packages/installation/src/modules.ts";
import { BossQueue } from "../../packages/module-workflows/src/runtime/boss-queue.ts";

/*
 * Test databases begin with the tables of all modules and of the queue: these are made once, not once for each of some hundred
 * databases. A test that migrates one finds nothing missing.
 */

function allMigrations(): MigrationSet[] {
  return [
    { name: "module-registry", folder: new URL("../../packages/module-registry/migrations", import.meta.url) },
    ...installedModules({ demo: true }).flatMap(({ name, migrations }) =>
      migrations === undefined || name === "module-registry" ? [] : [{ name, folder: migrations }],
    ),
  ];
}

async function fill(db: Database): Promise<void> {
  await migrate(db, allMigrations());
  const queue = new BossQueue(db);
  await queue.start();
  await queue.stop();
  // This process works on none of them.
  await db.query("delete from pgboss.instance");
}

/** Writes the embedded database to `file`. */
export function writeMigratedSnapshot(file: string): Promise<void> {
  return writeSnapshot(file, async (embedded) => {
    await fill(embedded);
    // Two thirds of the files, which no test needs, and each would be placed.
    await embedded.query("update pg_database set datistemplate = false");
    await embedded.query("drop database template0");
    await embedded.query("drop database template1");
  });
}

/** Makes the template on the server. Returns its name, and how to remove it. */
export async function makeTemplate(serverUrl: string): Promise<{ name: string; drop: () => Promise<void> }> {
  const { url, drop } = await createTestPostgres(serverUrl, { migrated: false });
  const db = await connectDatabase({ url, dataDir: "unused" });
  await fill(db);
  await db.close();
  return { name: new URL(url).pathname.slice(1), drop };
}
