import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { connectDatabase } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres-database.ts";
import { createTestPostgres, type TestDatabase, testDatabases } from "./testing.ts";

function migrationFolder(statement: string): URL {
  const folder = mkdtempSync(join(tmpdir(), "oven-migrations-"));
  mkdirSync(join(folder, "meta"));
  writeFileSync(join(folder, "0000_first.sql"), statement);
  const entry = { idx: 0, version: "7", when: 1, tag: "0000_first", breakpoints: true };
  writeFileSync(
    join(folder, "meta", "_journal.json"),
    JSON.stringify({ version: "7", dialect: "postgresql", entries: [entry] }),
  );
  return pathToFileURL(folder);
}

describe.each(testDatabases(inject("postgresUrl")))("a database on $name", ({ open }) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await open();
  });
  afterAll(() => test.close());

  it("applies each migration once and lists it per module", async () => {
    const sets = [{ name: "module-a", folder: migrationFolder("create table a (id bigint)") }];
    await migrate(test.db, sets);
    await migrate(test.db, sets);
    expect(await test.db.query("select count(*) as applied from oven_migrations_module_a")).toEqual([{ applied: 1 }]);
  });

  it("answers bigint as numbers and keeps NUL and lone surrogates in json", async () => {
    await test.db.query("create table exact (id bigint, value json)");
    const value = { text: "a\u0000b\ud800", z: 1, a: 2 };
    await test.db.query("insert into exact values ($1, $2)", [2 ** 40, JSON.stringify(value)]);
    const [row] = await test.db.query("select id, value from exact");
    expect(row).toEqual({ id: 2 ** 40, value });
  });

  it("rolls back when the work throws, raw statements and drizzle alike", async () => {
    await test.db.query("create table kept (id int)");
    const attempt = test.db.transaction(async (tx) => {
      await tx.query("insert into kept values (1)");
      await tx.orm.execute(sql`insert into kept values (2)`);
      throw new Error("changed my mind");
    });
    await expect(attempt).rejects.toThrow("changed my mind");
    expect(await test.db.query("select * from kept")).toEqual([]);
  });

  it("delivers notifications", async () => {
    const received = new Promise<string>((resolve) => {
      void test.db.listen("news", resolve).then(() => test.db.query("select pg_notify('news', 'hello')"));
    });
    expect(await received).toBe("hello");
  });
});

describe("migrating on PostgreSQL", () => {
  it("lets several processes start at once on a new database, each change applied once", async () => {
    const { url, drop } = await createTestPostgres(inject("postgresUrl"));
    const sets = ["first", "second"].map((name) => ({
      name,
      folder: migrationFolder(`create table ${name} (id bigint)`),
    }));
    const processes = await Promise.all(
      Array.from({ length: 5 }, () => openPostgres({ connectionString: url, poolSize: 2 })),
    );
    await Promise.all(processes.map((db) => migrate(db, sets)));
    const [db] = processes;
    expect(await db?.query("select count(*) as applied from oven_migrations_first")).toEqual([{ applied: 1 }]);
    expect(await db?.query("select * from second")).toEqual([]);
    await Promise.all(processes.map((each) => each.close()));
    await drop();
  });

  it("applies nothing of a migration that fails, and goes on once it is corrected", async () => {
    const { url, drop } = await createTestPostgres(inject("postgresUrl"));
    const db = await openPostgres({ connectionString: url });
    const broken = [
      { name: "broken", folder: migrationFolder("create table half (id int);\nselect nothing from nowhere") },
    ];
    await expect(migrate(db, broken)).rejects.toThrow();
    expect(await db.query("select to_regclass('half') as found")).toEqual([{ found: null }]);
    await migrate(db, [{ name: "broken", folder: migrationFolder("create table half (id int)") }]);
    expect(await db.query("select * from half")).toEqual([]);
    await db.close();
    await drop();
  });
});

describe("connecting", () => {
  it("says what to do when PostgreSQL cannot be reached", async () => {
    const attempt = connectDatabase({ url: "postgres://nobody@127.0.0.1:1/none", dataDir: "unused" });
    await expect(attempt).rejects.toMatchObject({
      code: "DATABASE_UNREACHABLE",
      fix: expect.stringContaining("DATABASE_URL"),
    });
  });

  it("refuses a second opener of an embedded database and serves again after close", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "oven-data-"));
    const first = await connectDatabase({ url: undefined, dataDir });
    await first.query("create table t (id int)");
    await expect(connectDatabase({ url: undefined, dataDir })).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
    await first.close();
    const second = await connectDatabase({ url: undefined, dataDir });
    expect(await second.query("select * from t")).toEqual([]);
    await second.close();
  });
});
