import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTables, type TablesOven } from "../rows/testing/start-tables.ts";

describe("tables", () => {
  let oven: TablesOven;
  beforeAll(async () => {
    oven = await startTables();
  });
  afterAll(() => oven.stop());

  const get = async (slug: string) => (await oven.call("GET", `tables/${slug}`)).body;
  /** The table as it is, with some columns in its place. */
  async function change(slug: string, columns: (now: JsonObject[]) => JsonObject[], more: JsonObject = {}) {
    const { name, description, unique, version, ...table } = await get(slug);
    return { name, slug, description, unique, version, columns: columns(table.columns), ...more };
  }

  it("are refused with columns that make no sense", async () => {
    const make = async (columns: object[], more: object = {}) =>
      (await oven.call("POST", "tables", { name: "Bad", columns, ...more })).body.error;
    expect(await make([{ name: "id", type: "text" }])).toMatchObject({ path: "$.columns[0].name" });
    expect(await make([{ name: "a-b", type: "text" }])).toMatchObject({ path: "$.columns[0].name" });
    expect(await make([{ name: "__proto__", type: "text" }])).toMatchObject({ path: "$.columns[0].name" });
    expect(await make([{ name: "a", type: "choice" }])).toMatchObject({ path: "$.columns[0].choices" });
    expect(await make([{ name: "a", type: "text", choices: ["x"] }])).toMatchObject({ path: "$.columns[0].choices" });
    expect(await make([{ name: "a", type: "json", unique: true }])).toMatchObject({ path: "$.columns[0].type" });
    expect(await make([{ name: "a", type: "number", default: "x" }])).toMatchObject({ path: "$.columns[0].default" });
    expect(await make([{ name: "a", type: "reference", references: "none" }])).toMatchObject({
      code: "REFERENCE_MISSING",
    });
    expect(
      await make([
        { name: "a", type: "text" },
        { name: "A", type: "text" },
      ]),
    ).toMatchObject({ path: "$.columns[1].name" });
    expect(await make([{ name: "a", type: "text" }], { unique: [["a", "b"]] })).toMatchObject({ path: "$.unique[0]" });
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `c${index}`, type: "text" }));
    expect(await make(many)).toMatchObject({ code: "INVALID_REQUEST" });
    expect((await oven.call("GET", "tables")).body).toEqual([]);
  });

  it("have one slug each, and may refer to themselves", async () => {
    await oven.make("staff", [{ name: "boss", type: "reference", references: "staff" }]);
    expect((await oven.call("POST", "tables", { name: "Staff" })).body.error.code).toBe("SLUG_TAKEN");
    const [boss] = await oven.add("staff", {});
    const [one] = await oven.add("staff", { boss: boss.id });
    expect((await get("staff")).columns[0]).toMatchObject({ references: "staff" });
    const kept = await oven.call("POST", "tables/staff/rows/delete", { rows: [{ id: boss.id, version: 1 }] });
    expect(kept.body.error.code).toBe("ROW_REFERENCED");
    const rows = [boss, one].map(({ id }) => ({ id, version: 1 }));
    expect((await oven.call("POST", "tables/staff/rows/delete", { rows })).status).toBe(204);
    expect((await oven.call("DELETE", "tables/staff")).status).toBe(204);
  });

  it("say before a change of columns what is lost, and change nothing until that is accepted", async () => {
    await oven.make("parts", [
      { name: "code", type: "text" },
      { name: "price", type: "text" },
      { name: "note", type: "text" },
    ]);
    await oven.add(
      "parts",
      { code: "a", price: "1.50", note: "x" },
      { code: "b", price: "cheap" },
      { code: "a", price: "9007199254740993", note: "y" },
    );
    const wanted = await change("parts", ([code, price]): JsonObject[] => [
      { ...code, name: "number", indexed: true },
      { ...price, type: "number" },
      { name: "unit", type: "choice", choices: ["piece", "kg"], default: "piece" },
    ]);
    const plan = (await oven.call("POST", "tables/parts/plan", wanted)).body;
    expect(plan).toMatchObject({ lost: 4, refused: 0 });
    const of = (kind: string) => plan.changes.find((one: { change: string }) => one.change === kind);
    expect(of("rename")).toMatchObject({ from: "code", to: "number", lost: 0 });
    expect(of("remove")).toMatchObject({ column: "note", lost: 2 });
    expect(of("type")).toMatchObject({ column: "price", from: "text", to: "number", lost: 2 });
    expect(of("type").examples.map((one: { value: string }) => one.value)).toEqual(["cheap", "9007199254740993"]);
    expect(of("add")).toMatchObject({ column: "unit", to: "choice" });
    const refused = await oven.call("PUT", "tables/parts", wanted);
    expect([refused.status, refused.body.error.code]).toEqual([409, "TABLE_CHANGE_LOSES"]);
    expect((await get("parts")).version).toBe(1);
    const changed = await oven.call("PUT", "tables/parts", { ...wanted, acceptLoss: true });
    expect([changed.status, changed.body]).toMatchObject([200, { version: 2, rows: 3 }]);
    expect(await oven.values("parts", '?filter={"number":"a"}')).toEqual([
      { number: "a", price: 1.5, unit: "piece" },
      { number: "a", price: null, unit: "piece" },
    ]);
    expect((await oven.call("PUT", "tables/parts", { ...wanted, acceptLoss: true })).body.error.code).toBe(
      "STALE_VERSION",
    );
    expect(JSON.stringify(await oven.db.query("select cells from user_table_rows"))).not.toContain('"x"');
  });

  it("do not become unique or required over rows that are not", async () => {
    const unique = await change("parts", ([number, ...rest]) => [{ ...number, unique: true }, ...rest]);
    const plan = (await oven.call("POST", "tables/parts/plan", unique)).body;
    expect(plan).toMatchObject({ refused: 1, lost: 0 });
    expect((await oven.call("PUT", "tables/parts", { ...unique, acceptLoss: true })).body.error.code).toBe(
      "TABLE_CHANGE_REFUSED",
    );
    const required = await change("parts", ([number, price, unit]) => [
      number ?? {},
      { ...price, required: true },
      unit ?? {},
    ]);
    expect((await oven.call("POST", "tables/parts/plan", required)).body).toMatchObject({ refused: 2 });
    const group = await change("parts", (columns) => columns, { unique: [["number", "price"]] });
    expect((await oven.call("PUT", "tables/parts", group)).body).toMatchObject({ unique: [["number", "price"]] });
    const clash = await oven.call("POST", "tables/parts/rows", { rows: [{ number: "a", price: 1.5 }] });
    expect(clash.body.error).toMatchObject({ code: "ROW_NOT_UNIQUE", details: { columns: ["number", "price"] } });
    await oven.add("parts", { number: "a" });
  });

  it("hold as much as is set", async () => {
    const set = async (key: string, value: number | null) => {
      const body = { moduleName: "module-tables", key, value };
      const answer = await oven.call("POST", "module-configs", body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    };
    await oven.make("small", [{ name: "text", type: "text" }]);
    await set("TABLE_MAX_ROWS", 5);
    const rows = Array.from({ length: 6 }, (_, index) => ({ text: `${index}` }));
    const full = await oven.call("POST", "tables/small/rows", { rows });
    expect([full.status, full.body.error]).toMatchObject([422, { code: "TABLE_FULL" }]);
    expect((await get("small")).rows).toBe(0);
    await oven.add("small", ...rows.slice(1));
    await set("TABLES_MAX_BYTES", 10);
    expect((await oven.call("POST", "tables/parts/rows", { rows: [{ number: "z" }] })).body.error.message).toMatch(
      /^All tables together/,
    );
    const [first] = (await oven.call("GET", "tables/small/rows")).body;
    const less = await oven.call("PATCH", `tables/small/rows/${first.id}`, { version: 1, values: { text: "" } });
    expect(less.status).toBe(200);
    const big = { text: "x".repeat(100_001) };
    expect((await oven.call("POST", "tables/small/rows", { rows: [big] })).body.error.code).toBe("TABLE_VALUE_INVALID");
  });
});
