import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { connectDatabase } from "../connect.ts";
import type { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { fillTestDataDir, testDatabases } from "../testing.ts";
import { checkBackup } from "./read-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const MIGRATIONS = [
  `create table people (id bigint generated always as identity primary key, name text not null, at timestamptz not null);
   create sequence oven_numbers`,
  // Before `people` by name, and after it by reference.
  `create table files (key varchar(20) primary key, person_id bigint references people (id), data bytea, exact json,
     share jsonb, words tsvector, vector real[], tags text[], weight double precision, flag boolean)`,
  "create table later (id bigint primary key)",
];
const ODD = {
  name: `a"b\\c\n\t\u2028\u0001 ä 😀 {"x":1} `,
  // What JSON can hold and text cannot: a NUL, half a character, numbers that no double is, keys in their order, one of them twice.
  exact: `{"b": "\\u0000 \\ud800", "a": 12345678901234567890.10, "a": 1}`,
  at: "2026-11-28 10:00:00.123457+00",
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "oven-backup-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function setOf(count: number) {
  const path = mkdtempSync(join(folder, "set-"));
  mkdirSync(join(path, "meta"));
  const entries = MIGRATIONS.slice(0, count).map((_, idx) => ({
    ...{ idx, version: "7", breakpoints: true },
    when: Date.UTC(2026, 10, 1 + idx),
    tag: `000${idx}_step`,
  }));
  for (const { idx, tag } of entries)
    writeFileSync(join(path, `${tag}.sql`), (MIGRATIONS[idx] ?? "").replaceAll(";", ";--> statement-breakpoint\n"));
  writeFileSync(join(path, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "postgresql", entries }));
  return { name: "module-a", folder: pathToFileURL(`${path}`) };
}

async function fill(db: Database, rows = 400) {
  await migrate(db, [setOf(2)]);
  await db.query(
    "insert into people (name, at) select $1 || n, $2::timestamptz + n * interval '1 day' from generate_series(1, $3::int) n",
    [ODD.name, ODD.at, rows],
  );
  // Keys that collations put into another order than bytes do.
  for (const key of ["b", "A", "a", "_", "é", "Z"])
    await db.query(
      `insert into files values ($1, 3, decode(repeat('00ff0a', 50), 'hex'), $2::text::json, '{"z": 1.10, "a": [null]}', 'a:1 fat:2', '{0.1,1e-30,NaN}',
         array['x', null, 'y,"z"'], 'Infinity', false)`,
      [key, ODD.exact],
    );
  await db.query("insert into files (key) values ('nulls')");
  await db.query("select nextval('oven_numbers'), nextval('oven_numbers')");
}

const SECRET = { fingerprint: "0123456789abcdef" };

async function backup(db: Database): Promise<string> {
  let text = "";
  await writeBackup(db, { secret: SECRET }, async (piece) => {
    text += piece;
  });
  return file(gzipSync(text));
}

function file(content: Buffer): string {
  const path = join(folder, `${Math.random()}.backup`);
  writeFileSync(path, content);
  return path;
}

const contents = (db: Database) =>
  db.query(
    `select (select json_agg(p order by id)::text from people p) as people,
       (select json_agg(f order by key collate "C")::text from files f) as files,
       (select json_agg(exact::text order by key collate "C")::text from files) as exact,
       (select json_agg(m order by made_at)::text from oven_applied_migrations m) as migrations`,
  );

const databases = testDatabases(inject("postgresUrl"));
const pairs = databases.flatMap((from) => databases.map((to) => ({ from, to, name: `${from.name} to ${to.name}` })));

describe.each(pairs)("a backup of $name", ({ from, to }) => {
  it("restores every value exactly, in tables as they were, and numbers go on after the last", async () => {
    const source = await from.open({ migrated: false });
    const target = await to.open({ migrated: false });
    await fill(source.db);
    const path = await backup(source.db);
    const { total } = await restoreBackup(target.db, path, { sets: [setOf(3)] });
    expect(total).toMatchObject({ tables: 3, rows: 409 });
    expect(await contents(target.db)).toEqual(await contents(source.db));
    expect(
      await target.db.query("select to_regclass('later') as later, to_regclass('oven_restore') as restore"),
    ).toEqual([{ later: null, restore: null }]);
    expect(await target.db.query("insert into people (name, at) values ('x', now()) returning id")).toEqual([
      { id: 401 },
    ]);
    expect(await target.db.query("select nextval('oven_numbers')::int as next")).toEqual([{ next: 3 }]);
    await migrate(target.db, [setOf(3)]);
    expect(await target.db.query("select count(*)::int as rows from later")).toEqual([{ rows: 0 }]);
    // Another restore of the same rows gives the same file, but for its first line.
    const again = await to.open({ migrated: false });
    await restoreBackup(again.db, path, { sets: [setOf(2)] });
    const lines = (one: string) => gunzipSync(readFileSync(one)).toString("utf8").split("\n").slice(1, -2);
    expect(lines(await backup(again.db))).toEqual(lines(path));
    for (const { close } of [source, target, again]) await close();
  });
});

describe.each(databases)("a restore on $name", ({ open }) => {
  it("goes on where it was stopped, with the same file only, and no server starts meanwhile", async () => {
    const source = await open({ migrated: false });
    await fill(source.db, 3_500);
    const path = await backup(source.db);
    const target = await open({ migrated: false });
    const stopAfter = async (rows: number) => {
      await restoreBackup(target.db, path, {
        sets: [setOf(2)],
        onProgress: (progress) => {
          if (progress.rows >= rows) throw new Error("stopped");
        },
      });
    };
    await expect(stopAfter(1_000)).rejects.toThrow("stopped");
    expect(await target.db.query("select count(*)::int as rows from people")).toEqual([{ rows: 1_000 }]);
    await expect(migrate(target.db, [setOf(2)])).rejects.toMatchObject({ code: "RESTORE_UNFINISHED" });
    await source.db.query("delete from files where key = 'a'");
    const other = await backup(source.db);
    await expect(restoreBackup(target.db, other, { sets: [setOf(2)] })).rejects.toMatchObject({
      code: "RESTORE_NOT_EMPTY",
    });
    await expect(stopAfter(3_000)).rejects.toThrow("stopped");
    await restoreBackup(target.db, path, { sets: [setOf(2)] });
    expect(await target.db.query("select count(*)::int as rows, sum(id)::int as ids from people")).toEqual([
      { rows: 3_500, ids: (3_500 * 3_501) / 2 },
    ]);
    for (const { close } of [source, target]) await close();
  });

  it("finds a row that differs from the backup, and refuses a database with tables", async () => {
    const source = await open({ migrated: false });
    await fill(source.db);
    const path = await backup(source.db);
    await expect(restoreBackup(source.db, path, { sets: [setOf(2)] })).rejects.toMatchObject({
      code: "RESTORE_NOT_EMPTY",
      message: expect.stringMatching(/it has \d tables, such as /),
    });
    const target = await open({ migrated: false });
    const changing = restoreBackup(target.db, path, {
      sets: [setOf(2)],
      onProgress: ({ step }) => {
        if (step === "compare") void target.db.query("update people set name = 'other' where id = 77");
      },
    });
    await expect(changing).rejects.toMatchObject({ code: "RESTORE_DIFFERS" });
    await expect(migrate(target.db, [setOf(2)])).rejects.toMatchObject({ code: "RESTORE_UNFINISHED" });
    for (const { close } of [source, target]) await close();
  });
});

describe("a file", () => {
  it("is refused when it is cut short or changed anywhere, before anything is written", async () => {
    const [pglite] = databases;
    const source = await pglite?.open({ migrated: false });
    const target = await pglite?.open({ migrated: false });
    if (source === undefined || target === undefined) throw new Error("no database");
    await fill(source.db, 30);
    const path = await backup(source.db);
    await expect(checkBackup(path)).resolves.toMatchObject({ header: { secret: SECRET }, total: { tables: 3 } });
    const whole = readFileSync(path);
    const text = gunzipSync(whole).toString("utf8");
    const lines = text.split("\n");
    const damaged = [
      ...[1, 30, Math.floor(whole.length / 2), whole.length - 9].map((length) => whole.subarray(0, length)),
      // Cut at each line, and each line left out.
      ...lines.slice(0, -2).map((_, count) => gzipSync(lines.slice(0, count).join("\n"))),
      ...lines.slice(0, -1).map((_, at) => gzipSync(lines.toSpliced(at, 1).join("\n"))),
      gzipSync(text.replace('"a"', '"b"')),
      gzipSync(text.replace(SECRET.fingerprint, "f123456789abcdef")),
      gzipSync(`${text}{}\n`),
      Buffer.from("hello"),
      gzipSync("hello"),
    ];
    for (const [at, content] of damaged.entries())
      await expect(restoreBackup(target.db, file(content), { sets: [setOf(2)] }), `${at}`).rejects.toMatchObject({
        code: "BACKUP_DAMAGED",
      });
    const newer = file(gzipSync(text.replace('"format":1', '"format":2')));
    await expect(checkBackup(newer)).rejects.toMatchObject({ code: "BACKUP_FORMAT_UNKNOWN" });
    await expect(restoreBackup(target.db, path, { sets: [setOf(1)] })).rejects.toMatchObject({ code: "BACKUP_NEWER" });
    await expect(checkBackup(join(folder, "none"))).rejects.toThrow("ENOENT");
    expect(
      await target.db.query("select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace"),
    ).toEqual([{ n: 0 }]);
    for (const { close } of [source, target]) await close();
  });
});

it("reads one instant of an embedded database while others write, and leaves no copy behind", async () => {
  const dataDir = join(folder, "data");
  fillTestDataDir(dataDir);
  mkdirSync(join(dataDir, "pglite-snapshot-left"));
  const db = await connectDatabase({ url: undefined, dataDir });
  await fill(db, 50);
  const seen = await db
    .readSnapshot(async (tx) => {
      await db.query("insert into people (name, at) values ('meanwhile', now())");
      await expect(tx.query("delete from people")).rejects.toThrow(/read-only/);
      return readdirSync(dataDir).filter((name) => name.startsWith("pglite-snapshot-")).length;
    })
    .catch((error: unknown) => error);
  // The transaction that was to write is over.
  expect(seen).toBe(1);
  const rows = await db.readSnapshot(async (tx) => {
    await db.query("insert into people (name, at) values ('meanwhile', now())");
    return tx.query("select count(*)::int as rows from people");
  });
  expect(rows).toEqual([{ rows: 51 }]);
  expect(await db.query("select count(*)::int as rows from people")).toEqual([{ rows: 52 }]);
  await db.close();
  expect(existsSync(join(dataDir, "pglite-snapshot-left"))).toBe(false);
  expect(readdirSync(dataDir)).toEqual(["pglite"]);
});
