import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { migrationSetsOf } from "@oven/module-registry";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { installedModules } from "./modules.ts";
import { createStoresCheck } from "./readiness.ts";

let database: { url: string; drop: () => Promise<void> };
let db: Database;
beforeAll(async () => {
  database = await createTestPostgres(inject("postgresUrl"));
  db = await connectDatabase({ url: database.url, dataDir: "unused" });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

it("the database is ready with the migrations of this version, and not with those of an earlier one", async () => {
  let now = 0;
  const check = createStoresCheck(db, migrationSetsOf(installedModules({ demo: false })), () => now);
  expect(await check()).toEqual({ database: true, migrations: true });
  await db.query(
    "delete from oven_migrations_module_roles where created_at = (select max(created_at) from oven_migrations_module_roles)",
  );
  now = 999;
  expect(await check()).toEqual({ database: true, migrations: true });
  now = 1_000;
  expect(await check()).toEqual({ database: true, migrations: false });
});

it("a database that does not answer is not ready", async () => {
  const gone = await connectDatabase({ url: database.url, dataDir: "unused" });
  await gone.close();
  expect(await createStoresCheck(gone, [])()).toEqual({ database: false, migrations: false });
});

it("what cannot be found out is asked anew", async () => {
  let asked = 0;
  const broken: Pick<Database, "isReachable" | "system"> = {
    system: db,
    isReachable: async () => {
      asked++;
      throw new Error("broken");
    },
  };
  const check = createStoresCheck(broken, [], () => 0);
  await expect(check()).rejects.toThrow("broken");
  await expect(check()).rejects.toThrow("broken");
  expect(asked).toBe(2);
});
