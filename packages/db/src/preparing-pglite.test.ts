import { type PGlite, types } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "./database.ts";
import { createTestPglite } from "./testing.ts";

/* Each statement is asked more often than it takes to prepare it: the answers have to be alike. */
const TIMES = [1, 2, 3, 4];

describe("statements of the embedded database", () => {
  let db: Database;
  let pglite: PGlite;
  beforeAll(async () => {
    db = await createTestPglite({ migrated: false });
    if (!("pglite" in db.native)) throw new Error("not the embedded database");
    pglite = db.native.pglite;
    await db.query(`create table things (id int primary key, name text, tags text[], data jsonb, at timestamptz,
      big bigint, is_open boolean, body bytea, price numeric)`);
  });
  afterAll(() => db.close());

  const preparedTexts = async (): Promise<string[]> =>
    (await pglite.exec("select statement from pg_prepared_statements order by 1"))[0]?.rows.map(
      (row) => String(row.statement), // cast: a text column
    ) ?? [];

  it("are prepared when they are asked again, each once", async () => {
    const text = "select $1::int + 1 as more";
    await db.query(text, [1]);
    expect(await preparedTexts()).not.toContain(text);
    for (const time of TIMES) expect(await db.query(text, [time])).toEqual([{ more: time + 1 }]);
    expect((await preparedTexts()).filter((one) => one === text)).toHaveLength(1);
  });

  it("take and give every type alike, prepared or not", async () => {
    const at = new Date("2026-11-25T22:00:00.000Z");
    for (const id of TIMES) {
      const body = new Uint8Array([0, 1, 127, 128, 255, id]);
      const values = [
        id,
        'a "b" \\ ä\u{1F9F9}',
        ["x", 'y"z', "a,b"],
        { n: [1, null] },
        at,
        2 ** 40,
        true,
        body,
        "1.50",
      ];
      await db.query("insert into things values ($1, $2, $3, $4, $5, $6, $7, $8, $9)", values);
      const [row] = await db.query("select * from things where id = $1", [id]);
      expect(row).toEqual({
        id,
        name: 'a "b" \\ ä\u{1F9F9}',
        tags: ["x", 'y"z', "a,b"],
        data: { n: [1, null] },
        at,
        big: 2 ** 40,
        is_open: true,
        body,
        price: "1.50",
      });
    }
    for (const id of TIMES) {
      const nothing = Array(8).fill(null);
      await db.query("insert into things values ($1, $2, $3, $4, $5, $6, $7, $8, $9)", [id + 10, ...nothing]);
    }
    expect(await db.query("select name, body from things where id > $1", [13])).toEqual([{ name: null, body: null }]);
    const changed = await pglite.query("update things set name = $1 where id > $2", ["n", 10]);
    expect([changed.affectedRows, changed.rows]).toEqual([4, []]);
  });

  it("give rows as the caller asks for them", async () => {
    const text = "select 1::int as a, 2::int as a, now() as t where $1::int > 0";
    for (const time of TIMES) {
      const { rows, fields } = await pglite.query<unknown[]>(text, [time], {
        rowMode: "array",
        parsers: { [types.TIMESTAMPTZ]: () => "read by the caller" },
      });
      expect(rows).toEqual([[1, 2, "read by the caller"]]);
      expect(fields.map(({ name }) => name)).toEqual(["a", "a", "t"]);
    }
  });

  it("fail with what PostgreSQL says, and are asked again with success", async () => {
    const text = "select 10 / $1::int as part";
    for (const time of TIMES) {
      await expect(pglite.query(text, [0])).rejects.toMatchObject({ code: "22012", query: text, params: [0] });
      expect(await db.query(text, [time])).toEqual([{ part: Math.trunc(10 / time) }]);
    }
    for (const _time of TIMES) await expect(db.query("select nothing from things", [])).rejects.toThrow("nothing");
    for (const _time of TIMES) await expect(db.query("selec", [])).rejects.toThrow("syntax error");
    expect(await db.query("select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("belong to the transaction that asks them, and go with it", async () => {
    const insert = "insert into things (id) values ($1)";
    const count = "select count(*)::int as n from things where id >= $1";
    for (const time of TIMES) {
      const failing = db.transaction(async (tx) => {
        await tx.query(insert, [100 + time]);
        expect(await tx.query(count, [100])).toEqual([{ n: 1 }]);
        await tx.query("select 1 / $1::int", [0]);
      });
      await expect(failing).rejects.toThrow("division by zero");
      expect(await db.query(count, [100])).toEqual([{ n: 0 }]);
    }
    await db.transaction(async (tx) => {
      for (const time of TIMES) await tx.query(insert, [100 + time]);
    });
    expect(await db.query(count, [100])).toEqual([{ n: 4 }]);
    let left: { query(text: string): Promise<unknown> } | undefined;
    await pglite.transaction(async (tx) => {
      left = tx;
    });
    await expect(left?.query("select 1")).rejects.toThrow("Transaction is closed");
  });

  it("are noted when they change rows, and only then", async () => {
    const { writes } = db;
    if (writes === undefined) throw new Error("nothing is noted");
    await db.query("insert into things (id) values (900)");
    const noted = async (work: () => Promise<unknown>) => {
      const before = writes.count;
      await work();
      return writes.count > before;
    };
    let heard = 0;
    const hear = () => {
      heard += 1;
    };
    const listen = () => writes.next(hear);
    listen();
    const forget = listen();
    forget();
    const update = "update things set name = 'n' where id = $1";
    const call = (id: number) => [{ name: "note-things", sql: update, params: [id] }];
    expect(await noted(() => db.query("select * from things"))).toBe(false);
    expect(await noted(() => db.query(update, [901]))).toBe(false);
    expect(await noted(() => db.query("with t as (select 1 as deleted) select * from t where deleted = 2"))).toBe(
      false,
    );
    expect(await noted(() => pglite.exec("select 1; update things set name = 'n' where id = 901"))).toBe(false);
    expect(await noted(() => db.batch([]))).toBe(false);
    expect(heard).toBe(0);
    expect(await noted(() => db.query(update, [900]))).toBe(true);
    expect(heard).toBe(1);
    const within = "with t as (update things set name = 'm' where id = 900 returning id) select * from t";
    expect(await noted(() => db.query(within))).toBe(true);
    expect(await noted(() => pglite.exec("select 1; update things set name = 'n' where id = 900"))).toBe(true);
    expect(await noted(() => db.transaction((tx) => tx.query(update, [900])))).toBe(true);
    expect(await noted(() => db.batch(call(900)))).toBe(true);
    expect(heard).toBe(1);
  });

  it("hear of a table with more columns, and of another table by the same name", async () => {
    await db.query("create table changing (a int)");
    await db.query("insert into changing values (1)");
    for (const _time of TIMES) expect(await db.query("select a from changing", [])).toEqual([{ a: 1 }]);
    await db.query("alter table changing add b int default 2");
    for (const _time of TIMES) expect(await db.query("select a from changing", [])).toEqual([{ a: 1 }]);
    await db.query("drop table changing");
    await db.query("create table changing (z text, a int)");
    for (const _time of TIMES) expect(await db.query("select a from changing", [])).toEqual([]);
  });

  it("are not prepared without end", async () => {
    for (let each = 0; each < 400; each++)
      for (const _time of [1, 2]) expect(await db.query(`select ${each} as n`)).toEqual([{ n: each }]);
    expect((await preparedTexts()).length).toBeLessThanOrEqual(300);
    expect(await db.query("select 399 as n")).toEqual([{ n: 399 }]);
  });
});
