import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type MigrationSet, migrate } from "@oven/db";
import { createTestPglite, createTestPostgres } from "@oven/db/testing";
import { installedModules } from "../../packages/installation/src/modules.ts";

/*
 * Test databases begin with the tables of all modules: these are made once for a run, not once for each of some hundred
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

/** Makes both, and tells the processes of the tests by their environment. Returns how to remove them. */
export async function makeMigratedDatabases(serverUrl: string): Promise<() => Promise<void>> {
  const sets = allMigrations();
  const directory = mkdtempSync(join(tmpdir(), "oven-migrated-"));
  const embedded = await createTestPglite({ migrated: false });
  await migrate(embedded, sets);
  if (!("pglite" in embedded.native)) throw new Error("the embedded database has no file");
  const dump = await embedded.native.pglite.dumpDataDir("none");
  await embedded.close();
  const snapshot = join(directory, "pglite.tar");
  writeFileSync(snapshot, Buffer.from(await dump.arrayBuffer()));

  const { url, drop } = await createTestPostgres(serverUrl, { migrated: false });
  const db = await connectDatabase({ url, dataDir: "unused" });
  await migrate(db, sets);
  await db.close();
  process.env.OVEN_TEST_SNAPSHOT = snapshot;
  process.env.OVEN_TEST_TEMPLATE = new URL(url).pathname.slice(1);
  return async () => {
    rmSync(directory, { recursive: true, force: true });
    await drop();
  };
}
