import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSnapshot, writeSnapshot } from "./test-snapshot.ts";

const namesOf = async (db: Awaited<ReturnType<typeof openSnapshot>>) =>
  (await db.query<{ name: string }>("select name from things order by name")).map(({ name }) => name);

it("begins each database as the snapshot, whatever others have written into theirs", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "oven-snapshot-")), "pglite.tar");
  await writeSnapshot(file, async (db) => {
    await db.query("create table things (name text primary key)");
    await db.query("insert into things values ('first')");
  });
  const one = await openSnapshot({ file, extensions: true });
  const other = await openSnapshot({ file, extensions: true });
  try {
    await one.query("insert into things select 'of one ' || i from generate_series(1, 3000) i");
    await one.query("create table more (id int)");
    // Now it is in the files, not only in the memory of the first.
    await one.query("checkpoint");
    const later = await openSnapshot({ file, extensions: true });
    try {
      for (const db of [other, later]) {
        expect(await namesOf(db)).toEqual(["first"]);
        expect(await db.query("select to_regclass('more') as found")).toEqual([{ found: null }]);
      }
    } finally {
      await later.close();
    }
    expect(await namesOf(one)).toHaveLength(3_001);
  } finally {
    await one.close();
    await other.close();
  }
});

it("has the vector extension, or has it not", async () => {
  const available = "select name from pg_available_extensions where name = 'vector'";
  const full = await openSnapshot({ extensions: true });
  const bare = await openSnapshot({ extensions: false });
  try {
    expect(await bare.query(available)).toEqual([]);
    expect(await full.query(available)).toEqual([{ name: "vector" }]);
    await full.query("create extension vector");
    expect(await full.query("select '[1,2]'::vector <-> '[4,6]'::vector as distance")).toEqual([{ distance: 5 }]);
  } finally {
    await full.close();
    await bare.close();
  }
});
