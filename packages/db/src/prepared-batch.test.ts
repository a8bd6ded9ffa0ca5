import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type TestDatabase, testDatabases } from "./testing.ts";

const put = (id: number, value: string | null = "x", tags: (string | null)[] = []) => ({
  name: "put",
  sql: "insert into put (id, value, tags) values ($1::int, $2::json, $3::text[]) on conflict do nothing returning id",
  params: [id, value === null ? null : JSON.stringify(value), tags],
});
const nothing = { name: "nothing", sql: "select id from put where id = $1::int", params: [-1] };
const broken = { name: "broken", sql: "insert into put (id) values ($1::int / 0)", params: [1] };
const unparsable = { name: "unparsable", sql: "selec nothing", params: [] };

describe.each(testDatabases(inject("postgresUrl")))("a prepared batch on $name", ({ open }) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await open();
    await test.db.query("create table put (id int primary key, value json, tags text[])");
  });
  afterAll(() => test.close());
  const ids = async () => (await test.db.query<{ id: number }>("select id from put order by id")).map(({ id }) => id);

  it("answers for each statement whether it gave a row", async () => {
    expect(await test.db.batch([put(1), nothing, put(2), put(1)])).toEqual([true, false, true, false]);
    expect(await test.db.batch([put(3)])).toEqual([true]);
    expect(await ids()).toEqual([1, 2, 3]);
  });

  it("keeps text, null, quotes, braces, NUL and surrogates exactly", async () => {
    const value = 'a"b\\c{d},\u0000\ud800';
    await test.db.batch([put(10, value, ['say "hi"', "back\\slash", "{curly},", null, ""])]);
    expect(await test.db.query("select value, tags from put where id = 10")).toEqual([
      { value, tags: ['say "hi"', "back\\slash", "{curly},", null, ""] },
    ]);
  });

  it.each([
    ["fails", broken],
    ["cannot be parsed", unparsable],
  ])("names the statement that %s, leaves nothing of the batch, and serves on", async (_name, bad) => {
    const before = await ids();
    await expect(test.db.batch([put(20), put(21), bad, put(22)])).rejects.toMatchObject({
      name: "BatchError",
      index: 2,
    });
    expect(await ids()).toEqual(before);
    expect(await test.db.batch([put(4), nothing])).toEqual([!before.includes(4), false]);
  });

  it("prepares again what was first met in a batch that failed", async () => {
    const fresh = (name: string, divisor: number) => ({ name, sql: "select 1 / $1::int", params: [divisor] });
    await expect(test.db.batch([fresh("one", 1), fresh("two", 0), fresh("three", 1)])).rejects.toMatchObject({
      index: 1,
    });
    expect(await test.db.batch([fresh("one", 1), fresh("two", 1), fresh("three", 1)])).toEqual([true, true, true]);
    expect(await test.db.batch([fresh("two", 1)])).toEqual([true]);
  });

  it("does not run inside somebody else's transaction", async () => {
    const inside = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const open = test.db.transaction(async (tx) => {
      await tx.query("insert into put (id) values (30)");
      inside.resolve();
      await leave.promise;
      throw new Error("rolled back");
    });
    await inside.promise;
    const batch = test.db.batch([put(31)]);
    leave.resolve();
    await expect(open).rejects.toThrow("rolled back");
    expect(await batch).toEqual([true]);
    expect(await ids()).toContain(31);
    expect(await ids()).not.toContain(30);
  });
});
