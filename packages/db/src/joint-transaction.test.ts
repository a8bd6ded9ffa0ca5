import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { Database } from "./database.ts";
import { withinTenant } from "./tenant-scope.ts";
import { type TestDatabase, testDatabases } from "./testing.ts";

describe.each(testDatabases(inject("postgresUrl")))("several services in one transaction, on $name", ({ open }) => {
  let test: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    test = await open({ migrated: false });
    db = test.db;
    await db.query(
      "create table notes (id serial primary key, tenant_id integer not null default 1, text text unique)",
    );
    await db.enableRowLevelSecurity();
  });
  beforeEach(() => db.query("delete from notes"));
  afterAll(() => test.close());

  const write = (text: string, face: Database = db) => face.query("insert into notes (text) values ($1)", [text]);
  const writeByItself = (text: string) =>
    db.transaction((tx) => tx.query("insert into notes (text) values ($1)", [text]));
  const texts = async () => (await db.query("select text from notes order by text")).map(({ text }) => text);

  it("is all there once it is over, whichever way it was written", async () => {
    const seen = await db.jointly(async () => {
      await write("a");
      await write("b", db.system);
      await writeByItself("c");
      await db.jointly(() => writeByItself("d"));
      expect([db.isJoint, db.system.isJoint]).toEqual([true, true]);
      return texts();
    });
    expect(db.isJoint).toBe(false);
    expect(seen).toEqual(["a", "b", "c", "d"]);
    expect(await texts()).toEqual(seen);
  });

  it.each(["a", "b", "c", "d"])("leaves nothing when it fails after %s", async (last) => {
    const failing = db.jointly(async () => {
      for (const text of ["a", "b", "c", "d"]) {
        await (text < "c" ? write(text, text === "a" ? db : db.system) : writeByItself(text));
        if (text === last) throw new Error("broken");
      }
    });
    await expect(failing).rejects.toThrow("broken");
    expect(await texts()).toEqual([]);
  });

  it("goes on after a transaction within that failed, without what it wrote", async () => {
    await db.jointly(async () => {
      await write("a");
      const twice = db.transaction(async (tx) => {
        await tx.query("insert into notes (text) values ('lost')");
        await tx.query("insert into notes (text) values ('a')");
      });
      await expect(twice).rejects.toThrow();
      await write("b");
    });
    expect(await texts()).toEqual(["a", "b"]);
  });

  it("keeps transactions apart that begin at once within it", async () => {
    await db.jointly(async () => {
      const settled = await Promise.allSettled([
        writeByItself("a"),
        db.transaction(async (tx) => {
          await tx.query("insert into notes (text) values ('lost')");
          throw new Error("broken");
        }),
        writeByItself("c"),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    });
    expect(await texts()).toEqual(["a", "c"]);
  });

  it("has nothing to do with what runs beside it, or is still running when it is over", async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let later: Promise<unknown> = Promise.resolve();
    const failing = db.jointly(async () => {
      later = over.then(() => write("later"));
      await write("a");
      throw new Error("broken");
    });
    await expect(Promise.all([failing, write("beside")])).rejects.toThrow("broken");
    end();
    await later;
    await expect.poll(texts).toEqual(["beside", "later"]);
  });

  it("stays within its tenant", async () => {
    await db.query("insert into notes (tenant_id, text) values (2, 'two')");
    const seen = await withinTenant(1, () =>
      db.jointly(async () => {
        await writeByItself("one");
        return texts();
      }),
    );
    expect(seen).toEqual(db.dialect === "postgres" ? ["one"] : ["one", "two"]);
  });

  it("a query that would wait for the transaction it is made in fails instead", async () => {
    const isEmbedded = db.dialect === "pglite";
    const outside = [
      () => db.query("select 1"),
      () => db.system.query("select 1"),
      () => db.transaction(async (tx) => tx.query("select 1")),
      () => db.jointly(async () => texts()),
      () => db.queries([{ sql: "select 1", params: [], name: "one" }]),
      async () => db.orm.execute("select 1"),
    ];
    for (const work of outside) {
      const nested = db.transaction(async (tx) => {
        await tx.query("insert into notes (text) values ('a')");
        await work();
      });
      if (isEmbedded) await expect(nested).rejects.toThrow("Use the transaction's own `tx`");
      else await nested.then(() => db.query("delete from notes"));
    }
    expect(await texts()).toEqual([]);
    let later: Promise<unknown> = Promise.resolve();
    await db.transaction(async () => {
      later = new Promise((resolve) => setImmediate(resolve)).then(() => texts());
    });
    expect(await later).toEqual([]);
  });
});
