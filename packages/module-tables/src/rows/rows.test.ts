import { type JsonObject, SYSTEM_PRINCIPAL } from "@oven/contract";
import { connectDatabase } from "@oven/db";
import { createTestPglite, createTestPostgres } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startTables, type TablesOven } from "./testing/start-tables.ts";

const databases = [
  { name: "PGlite", open: async () => ({ db: await createTestPglite(), drop: async () => undefined }) },
  {
    name: "PostgreSQL",
    open: async () => {
      const { url, drop } = await createTestPostgres(inject("postgresUrl"));
      const db = await connectDatabase({ url, dataDir: "" });
      return { db, drop: () => db.close().then(drop) };
    },
  },
];

describe.each(databases)("rows of tables on $name", ({ open }) => {
  let oven: TablesOven;
  let drop: () => Promise<unknown>;

  beforeAll(async () => {
    const database = await open();
    drop = database.drop;
    oven = await startTables(database.db);
  });
  afterAll(async () => {
    await oven.stop();
    await drop();
  });

  it("have values of the types of their columns, and defaults", async () => {
    const table = await oven.make("typed", [
      { name: "text", type: "text", required: true },
      { name: "count", type: "number" },
      { name: "open", type: "boolean", default: true },
      { name: "day", type: "date" },
      { name: "at", type: "datetime" },
      { name: "state", type: "choice", choices: ["new", "done"], default: "new" },
      { name: "data", type: "json" },
    ]);
    expect(table).toMatchObject({ slug: "typed", version: 1, rows: 0, bytes: 0 });
    const [row] = await oven.add("typed", {
      text: "A",
      count: 0.1,
      day: "2026-02-28",
      at: "2026-01-31T12:00:00+01:00",
      data: { b: [1, null], a: "x" },
    });
    expect(row).toMatchObject({ version: 1, id: expect.any(Number) });
    const stored = (await oven.call("GET", `tables/typed/rows/${row.id}`)).body;
    expect(stored).toEqual(row);
    expect(stored.values).toEqual({
      text: "A",
      count: 0.1,
      open: true,
      day: "2026-02-28",
      at: "2026-01-31T11:00:00.000Z",
      state: "new",
      data: { b: [1, null], a: "x" },
    });
    const { rows, bytes } = (await oven.call("GET", "tables/typed")).body;
    expect(rows).toBe(1);
    expect(bytes).toBeGreaterThan(50);
  });

  it.each([
    [{ text: 1 }, "$.rows[0].text", "must be text"],
    [{}, "$.rows[0].text", "needs a value"],
    [{ text: "a\0" }, "$.rows[0].text", "NUL"],
    [{ text: "\ud800" }, "$.rows[0].text", "surrogate"],
    [{ text: "a", data: { deep: ["\0"] } }, "$.rows[0].data", "NUL"],
    [{ text: "a", count: "1" }, "$.rows[0].count", "must be a number"],
    [{ text: "a", day: "2026-02-30" }, "$.rows[0].day", "must be a date"],
    [{ text: "a", at: "2026-01-31T12:00:00" }, "$.rows[0].at", "must be an instant"],
    [{ text: "a", state: "old" }, "$.rows[0].state", "must be one of new, done"],
    [{ text: "a", other: 1 }, "$.rows[0].other", "no column"],
  ])("are refused with the place: %j", async (row, path, words) => {
    const { status, body } = await oven.call("POST", "tables/typed/rows", { rows: [row] });
    expect([status, body.error.path]).toEqual([422, path]);
    expect(body.error.message).toContain(words);
  });

  it("take no number that would be rounded", async () => {
    const answer = await oven.fetch("tables/typed/rows", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"rows":[{"text":"a","count":9007199254740993}]}',
    });
    const { error } = (await answer.json()) as { error: { code: string } }; // cast: the body of an error
    expect([answer.status, error.code]).toEqual([400, "NUMBER_NOT_EXACT"]);
  });

  it("are all added, or none", async () => {
    await oven.make("unique", [
      { name: "email", type: "text", unique: true },
      { name: "n", type: "number" },
    ]);
    await oven.add("unique", { email: "a@x", n: 1 });
    const clash = await oven.call("POST", "tables/unique/rows", { rows: [{ email: "b@x" }, { email: "a@x" }] });
    expect([clash.status, clash.body.error]).toMatchObject([409, { code: "ROW_NOT_UNIQUE", path: "$.rows[1].email" }]);
    const twice = await oven.call("POST", "tables/unique/rows", { rows: [{ email: "c@x" }, { email: "c@x" }] });
    expect(twice.body.error.code).toBe("ROW_NOT_UNIQUE");
    await oven.add("unique", { email: null }, { email: null });
    expect(await oven.values("unique")).toHaveLength(3);
    expect((await oven.call("GET", "tables/unique")).body.rows).toBe(3);
  });

  it("are not overwritten by who read them before", async () => {
    const [{ id }] = (await oven.call("GET", 'tables/unique/rows?filter={"email":"a@x"}')).body;
    const first = await oven.call("PATCH", `tables/unique/rows/${id}`, { version: 1, values: { n: 2 } });
    expect([first.status, first.body]).toMatchObject([200, { version: 2, values: { email: "a@x", n: 2 } }]);
    const second = await oven.call("PATCH", `tables/unique/rows/${id}`, { version: 1, values: { n: 3 } });
    expect([second.status, second.body.error]).toMatchObject([
      409,
      { code: "STALE_VERSION", details: { current: { version: 2, values: { n: 2 } } } },
    ]);
    const headers = { "if-match": '"2"' };
    const third = await oven.call("PATCH", `tables/unique/rows/${id}`, { values: { n: 3 } }, { headers });
    expect(third.body).toMatchObject({ version: 3, values: { n: 3 } });
    expect((await oven.call("PATCH", `tables/unique/rows/${id}`, { values: { n: 4 } })).status).toBe(400);
    expect((await oven.call("DELETE", `tables/unique/rows/${id}`, undefined, { headers })).status).toBe(409);
    const gone = await oven.call("DELETE", `tables/unique/rows/${id}`, undefined, { headers: { "if-match": "3" } });
    expect(gone.status).toBe(204);
    expect((await oven.call("GET", `tables/unique/rows/${id}`)).status).toBe(404);
  });

  it("are found by conditions, sorted, and page by page", async () => {
    await oven.make("people", [
      { name: "name", type: "text", indexed: true },
      { name: "age", type: "number" },
      { name: "born", type: "date" },
      { name: "kind", type: "choice", choices: ["a", "b"] },
      { name: "note", type: "json" },
    ]);
    await oven.add(
      "people",
      { name: "Ann", age: 30, born: "1996-01-01", kind: "a" },
      { name: "Bob_1", age: 9, born: "2017-05-05", kind: "b", note: { x: 1 } },
      { name: "Cem%", age: 100, kind: "b" },
      { name: null, age: null },
    );
    const names = async (filter: object, more = "") =>
      (await oven.values("people", `?filter=${encodeURIComponent(JSON.stringify(filter))}${more}`)).map(
        ({ name }) => name,
      );
    expect(await names({ name: "Ann" })).toEqual(["Ann"]);
    expect(await names({ name: { in: ["Ann", "Cem%", "none"] } })).toEqual(["Ann", "Cem%"]);
    expect(await names({ name: { in: ["Ann", null] } })).toEqual(["Ann", null]);
    expect(await names({ name: null })).toEqual([null]);
    expect(await names({ name: { ne: "Ann" } })).toEqual(["Bob_1", "Cem%", null]);
    expect(await names({ age: { gte: 9, lt: 100 } })).toEqual(["Ann", "Bob_1"]);
    expect(await names({ age: 100 })).toEqual(["Cem%"]);
    expect(await names({ born: { lt: "2000-01-01" } })).toEqual(["Ann"]);
    expect(await names({ kind: { in: ["b"] }, note: { exists: true } })).toEqual(["Bob_1"]);
    expect(await names({ name: { contains: "m%" } })).toEqual(["Cem%"]);
    expect(await names({ name: { startsWith: "bob_" } })).toEqual(["Bob_1"]);
    expect(await names({}, "&q=ann")).toEqual(["Ann"]);
    expect(await names({}, '&sort=["age","DESC"]')).toEqual(["Cem%", "Ann", "Bob_1", null]);
    expect(await names({}, '&sort=["age","ASC"]&range=[1,2]')).toEqual(["Ann", "Cem%"]);
    const page = await oven.call("GET", 'tables/people/rows?range=[0,1]&sort=["name","ASC"]');
    expect(page.headers.get("content-range")).toBe("rows 0-1/4");
    for (const [query, code] of [
      ['filter={"nobody":1}', "TABLE_FILTER_INVALID"],
      ['filter={"age":"x"}', "TABLE_FILTER_INVALID"],
      ['filter={"age":{"contains":"x"}}', "TABLE_FILTER_INVALID"],
      ['filter={"age":{"near":1}}', "INVALID_REQUEST"],
      ['sort=["nobody","ASC"]', "TABLE_FILTER_INVALID"],
      ["filter={", "INVALID_LIST_QUERY"],
    ])
      expect([query, (await oven.call("GET", `tables/people/rows?${query}`)).body.error?.code]).toEqual([query, code]);
  });

  it("stay while another row refers to them", async () => {
    await oven.make("orders", [{ name: "person", type: "reference", references: "people" }]);
    const [ann] = (await oven.call("GET", 'tables/people/rows?filter={"name":"Ann"}')).body;
    const [order] = await oven.add("orders", { person: ann.id });
    const missing = await oven.call("POST", "tables/orders/rows", { rows: [{ person: 999_999_999 }] });
    expect(missing.body.error).toMatchObject({ code: "REFERENCE_MISSING", path: "$.rows[0].person" });
    const kept = await oven.call("POST", "tables/people/rows/delete", { rows: [{ id: ann.id, version: 1 }] });
    expect([kept.status, kept.body.error]).toMatchObject([
      409,
      { code: "ROW_REFERENCED", details: { table: "orders", column: "person", row: order.id } },
    ]);
    expect((await oven.call("DELETE", "tables/people")).body.error.code).toBe("TABLE_REFERENCED");
    await oven.call("PATCH", `tables/orders/rows/${order.id}`, { version: 1, values: { person: null } });
    const gone = await oven.call("POST", "tables/people/rows/delete", { rows: [{ id: ann.id, version: 1 }] });
    expect(gone.status).toBe(204);
  });

  it("are written once however often a call is repeated, also at the same time", async () => {
    await oven.make("once", [{ name: "n", type: "number" }]);
    const { rows } = oven.services().tables;
    const principal = { ...SYSTEM_PRINCIPAL, tenantId: 1 };
    const insert = (key: string) => rows.insert(principal, "once", [{ n: 1 }], { key });
    const answers = await Promise.all([insert("a"), insert("a"), insert("a")]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await insert("b");
    expect(await oven.values("once")).toHaveLength(2);
    const refused = rows.insert(principal, "once", [{ n: "x" }], { key: "c" });
    await expect(refused).rejects.toMatchObject({ code: "TABLE_VALUE_INVALID" });
    await rows.insert(principal, "once", [{ n: 2 }], { key: "c" });
    expect(await oven.values("once")).toHaveLength(3);
  });

  it("are written and read by steps of runs", async () => {
    await oven.make("stock", [
      { name: "item", type: "text", required: true, unique: true },
      { name: "left", type: "number" },
    ]);
    const inserted = await oven.run(
      "tables.insert",
      {
        table: "stock",
        rows: [
          { item: "$.trigger.name", left: 5 },
          { item: "cup", left: 1 },
        ],
      },
      { name: "tea" },
    );
    expect(inserted).toMatchObject({ status: "completed", output: { count: 2 } });
    const found = await oven.run("tables.find", { table: "stock", where: { left: { gt: 2 } } });
    expect(found.output).toMatchObject({ count: 1, truncated: false, rows: [{ values: { item: "tea", left: 5 } }] });
    const many = await oven.run("tables.update", { table: "stock", where: {}, set: { left: 0 } });
    expect(many).toMatchObject({ status: "failed", errorInfo: { code: "TOO_MANY_ROWS" } });
    expect(await oven.values("stock", '?filter={"left":0}')).toEqual([]);
    const one = await oven.run("tables.update", { table: "stock", where: { item: "tea" }, set: { left: 4 } });
    expect(one.output).toMatchObject({ count: 1, rows: [{ version: 2, values: { left: 4 } }] });
    const rows: JsonObject[] = [{ item: "tea", left: 3 }, { item: "pot" }];
    const merged = await oven.run("tables.upsert", { table: "stock", on: ["item"], rows });
    expect(merged.output).toMatchObject({ count: 2, inserted: 1, updated: 1 });
    const vague = await oven.run("tables.upsert", { table: "stock", on: ["left"], rows: [{ left: 3, item: "x" }] });
    expect(vague.errorInfo).toMatchObject({ code: "TABLE_NOT_UNIQUE" });
    expect((await oven.run("tables.delete", { table: "stock", where: {} })).errorInfo.code).toBe("TOO_MANY_ROWS");
    expect((await oven.run("tables.delete", { table: "stock", where: {}, most: 3 })).output).toEqual({ count: 3 });
  });
});
