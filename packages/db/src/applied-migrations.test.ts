import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { migrate } from "./migrate.ts";
import { type TestDatabase, testDatabases } from "./testing.ts";

const DAY = Date.UTC(2026, 10, 1);

/** A set of so many migrations, one a day, each with a table. */
function setOf(name: string, count: number) {
  const folder = mkdtempSync(join(tmpdir(), "oven-migrations-"));
  mkdirSync(join(folder, "meta"));
  const entries = Array.from({ length: count }, (_, idx) => ({
    ...{ idx, version: "7", breakpoints: true },
    when: DAY + idx * 86_400_000,
    tag: `000${idx}_step`,
  }));
  for (const { idx, tag } of entries)
    writeFileSync(join(folder, `${tag}.sql`), `create table ${name.replaceAll("-", "_")}_${idx} (id bigint)`);
  writeFileSync(
    join(folder, "meta", "_journal.json"),
    JSON.stringify({ version: "7", dialect: "postgresql", entries }),
  );
  return { name, folder: pathToFileURL(folder) };
}

describe.each(testDatabases(inject("postgresUrl")))("older code on newer data, on $name", ({ open }) => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await open({ migrated: false });
  });
  afterEach(() => test.close());

  it("is refused before anything is applied, with what is unknown and the version to use", async () => {
    await migrate(test.db, [setOf("module-a", 1)], "0.1.0");
    await migrate(test.db, [setOf("module-a", 3)], "0.10.0");
    const older = migrate(test.db, [setOf("module-b", 1), setOf("module-a", 1)], "0.9.0");
    await expect(older).rejects.toMatchObject({
      code: "DATABASE_NEWER",
      message:
        "The database has migrations that this OVEN 0.9.0 does not know: " +
        "0001_step of module-a (applied by OVEN 0.10.0), 0002_step of module-a (applied by OVEN 0.10.0)",
      fix: "Start OVEN 0.10.0 or newer, or restore a backup from before the upgrade.",
    });
    expect(await test.db.query("select to_regclass('module_b_0') as made")).toEqual([{ made: null }]);
    await migrate(test.db, [setOf("module-b", 1), setOf("module-a", 3)], "0.10.0");
  });

  it("is refused with the day where names and versions were not recorded", async () => {
    await migrate(test.db, [setOf("module-a", 2)], "0.2.0");
    await test.db.query("drop table oven_applied_migrations");
    await expect(migrate(test.db, [setOf("module-a", 1)], "0.1.0")).rejects.toMatchObject({
      message: expect.stringContaining(": one of 2026-11-02, whose name was not recorded, of module-a"),
      fix: expect.stringMatching(/^Start a version of OVEN that was made on 2026-11-02 or later, or restore/),
    });
    await migrate(test.db, [setOf("module-a", 3)], "0.3.0");
    expect(await test.db.query("select tag, oven_version from oven_applied_migrations")).toEqual([
      { tag: "0002_step", oven_version: "0.3.0" },
    ]);
  });

  it("is refused when a build of the same version applied them", async () => {
    await migrate(test.db, [setOf("module-a", 2)], "0.1.0");
    await expect(migrate(test.db, [setOf("module-a", 1)], "0.1.0")).rejects.toMatchObject({
      fix: expect.stringMatching(/^Start OVEN 0\.1\.0 or newer, in a later build than this one, or restore/),
    });
  });

  it("is refused when a module came with the newer version, and not when one is left out", async () => {
    await migrate(test.db, [setOf("module-a", 1), setOf("module-demo", 1)], "0.1.0");
    await migrate(test.db, [setOf("module-a", 1)], "0.1.0");
    await migrate(test.db, [setOf("module-a", 1), setOf("module-new", 1)], "0.2.0");
    await migrate(test.db, [setOf("module-a", 1)], "0.2.0");
    await expect(migrate(test.db, [setOf("module-a", 1)], "0.1.0")).rejects.toMatchObject({
      message: expect.stringMatching(/: 0000_step of module-new \(applied by OVEN 0\.2\.0\)$/),
    });
  });
});
