import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTables, type TablesOven } from "../rows/testing/start-tables.ts";

describe("files of tables", () => {
  let oven: TablesOven;
  beforeAll(async () => {
    oven = await startTables();
    await oven.make("items", [
      { name: "code", title: "Article No", type: "text", required: true, unique: true },
      { name: "price", type: "number" },
      { name: "active", type: "boolean" },
      { name: "day", type: "date" },
      { name: "data", type: "json" },
    ]);
  });
  afterAll(() => oven.stop());

  const take = async (text: string | Buffer, more: object = {}) =>
    (await oven.call("POST", "tables/items/import", { data: Buffer.from(text).toString("base64"), ...more })).body;

  it("say what would become of them, line by line, and write nothing", async () => {
    const file = "Article no;price;other\nA;1.5;x\nB;cheap;y\n;2;z\n\nC;9007199254740993;\nD;1;2;3\n";
    const report = await take(file);
    expect(report).toMatchObject({
      dryRun: true,
      charset: "utf-8",
      delimiter: ";",
      lines: 5,
      inserted: 0,
      refused: 4,
      headings: [
        { heading: "Article no", column: "code" },
        { heading: "price", column: "price" },
        { heading: "other", column: null },
      ],
    });
    expect(
      report.problems.map(({ column, message }: { column: string; message: string }) => [column, message]),
    ).toEqual([
      ["price", "must be a number such as 12.5"],
      ["code", "needs a value"],
      ["price", expect.stringContaining("exactly")],
      [null, "has more values than there are headings"],
    ]);
    expect(await take(file, { dryRun: false })).toMatchObject({ inserted: 0, refused: 4 });
    expect(await oven.values("items")).toEqual([]);
    expect(await take(file, { dryRun: false, skipRefused: true })).toMatchObject({ inserted: 1, refused: 4 });
  });

  it("are read in their charset, and say which line another row stands against", async () => {
    const latin = Buffer.concat([Buffer.from("code,price\nK"), Buffer.from([0xe4]), Buffer.from("se,2\n")]);
    expect((await take(latin)).error.code).toBe("TEXT_UNDECODABLE");
    expect(await take(latin, { charset: "windows-1252", dryRun: false })).toMatchObject({ inserted: 1 });
    expect(await oven.values("items", '?filter={"code":"Käse"}')).toMatchObject([{ price: 2 }]);
    const again = await take("code\nnew\nA\n", { dryRun: false });
    expect(again).toMatchObject({ inserted: 0, refused: 1, problems: [{ line: 3, column: "code", value: "A" }] });
    expect(await oven.values("items")).toHaveLength(2);
    const merged = await take("code,price\nnew,1\nA,7\n", { dryRun: false, on: ["code"] });
    expect(merged).toMatchObject({ inserted: 1, updated: 1 });
    expect((await take('code\n"open\n')).error.code).toBe("CSV_INVALID");
    expect((await take("")).error.code).toBe("CSV_INVALID");
    expect((await take("code,Article No\n1,2\n")).error.code).toBe("CSV_INVALID");
  });

  it("come back as they went out, and run nothing in a spreadsheet", async () => {
    const rows = [
      { code: "=HYPERLINK(1)", price: -1.5, active: true, day: "2026-02-01", data: { a: [1, "x"] } },
      { code: 'a "b", c\nd', price: null, active: false, day: null, data: null },
      ...Array.from({ length: 2_300 }, (_, index) => ({ code: `n${index}`, price: index })),
    ];
    for (let first = 0; first < rows.length; first += 1_000)
      await oven.add("items", ...rows.slice(first, first + 1_000));
    const before = await oven.values("items", '?range=[0,2]&sort=["id","ASC"]');
    const answer = await oven.fetch("tables/items/export");
    expect(answer.headers.get("content-disposition")).toContain('"items.csv"');
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString();
    expect(text.startsWith("\uFEFFcode,price,active,day,data\r\n")).toBe(true);
    expect(text).toContain(`"'=HYPERLINK(1)",-1.5,true,2026-02-01,`);
    await oven.run("tables.delete", { table: "items", where: { code: { startsWith: "n" } }, most: 1_000 });
    const { rows: count } = (await oven.call("GET", "tables/items")).body;
    for (let left = count; left > 0; left -= 1_000) {
      const listed = (await oven.call("GET", "tables/items/rows?range=[0,999]")).body;
      const named = listed.map(({ id, version }: { id: number; version: number }) => ({ id, version }));
      expect((await oven.call("POST", "tables/items/rows/delete", { rows: named })).status).toBe(204);
    }
    expect((await oven.call("GET", "tables/items")).body).toMatchObject({ rows: 0, bytes: 0 });
    expect(await take(text, { dryRun: false })).toMatchObject({ inserted: count, refused: 0 });
    expect(await oven.values("items", '?range=[0,2]&sort=["id","ASC"]')).toEqual(before);
    expect(await oven.values("items", '?filter={"code":"=HYPERLINK(1)"}')).toMatchObject([
      { price: -1.5, active: true },
    ]);
  });
});
