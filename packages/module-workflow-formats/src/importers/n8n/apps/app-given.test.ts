import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { NoEquivalent, orReason } from "../../../importing/no-equivalent.ts";
import type { N8nNode } from "../n8n-document.ts";
import { Given, limitOf } from "./app-given.ts";
import { computed, encoded, js, url } from "./app-values.ts";
import { lowerApp } from "./index.ts";

const given = (values: JsonObject) => new Given(values, 1);
const rl = (mode: string, value: Json): JsonObject => ({ __rl: true, mode, value });

describe("a resource locator", () => {
  const pattern = /\/d\/([\w-]+)/;
  it.each<[string, Json, Json]>([
    ["by id", rl("id", "abc"), "abc"],
    ["from a list, also as a number", rl("list", 17), 17],
    ["by an address", rl("url", "https://docs.google.com/spreadsheets/d/abc_1/edit#gid=0"), "abc_1"],
    ["of an older version, which is the id itself", "abc", "abc"],
    ["that is computed", rl("id", "={{ $json.id }}"), "={{ $json.id }}"],
  ])("%s says which one it is", (_what, value, id) => {
    expect(given({ x: value }).locator("x", { pattern })).toEqual(id);
  });

  it("takes the id out of an address that is computed when it runs", () => {
    const found = String(given({ x: rl("url", "=https://x/{{ $json.part }}") }).locator("x", { pattern }));
    const source = /^=\{\{ (.*) \}\}$/s.exec(found)?.[1] ?? "";
    expect(new Function("$json", `return ${source}`)({ part: "d/abc_1/edit" })).toBe("abc_1");
  });

  it.each<[string, Json, string]>([
    ["an empty one", rl("list", ""), "no sheet is chosen"],
    ["none", null, "no sheet is chosen"],
    ["an address without an id", rl("url", "https://docs.google.com/"), "the address of its sheet has no id"],
  ])("is refused: %s", (_what, value, reason) => {
    expect(orReason(() => given({ x: value }).locator("x", { what: "sheet", pattern }))).toEqual({ reason });
  });
});

describe("settings of an app", () => {
  it("are refused where nobody asked for them, however deep", () => {
    const one = given({ a: 1, options: { b: 2, empty: {} }, list: { values: [{ c: 3 }] }, nothing: [], text: "" });
    one.get("a");
    one.group("options").get("b");
    const [first] = one.list("list", "values");
    expect(() => one.refuseRest()).toThrow(new NoEquivalent("its setting list.c has no equal here"));
    first?.get("c");
    expect(() => one.refuseRest()).not.toThrow();
  });

  it("that decide what is asked must be written out", () => {
    expect(() => given({ mode: "={{ $json.m }}" }).choice("mode", "a", ["a"])).toThrow("its mode is computed");
    expect(() => given({ mode: "b" }).choice("mode", "a", ["a"])).toThrow("its mode is b");
    expect(() => given({ returnAll: "={{ true }}" }).flag("returnAll")).toThrow("its returnAll is computed");
    expect(() => limitOf(given({ limit: "={{ 3 }}" }))).toThrow("how many it takes is computed");
    expect([limitOf(given({})), limitOf(given({ returnAll: true, limit: 3 })), limitOf(given({ limit: 3 }))]).toEqual([
      50,
      undefined,
      3,
    ]);
  });
});

describe("a parameter of n8n", () => {
  it("is JavaScript, with texts that are put together", () => {
    const source = js({ a: [1, "x"], b: "={{ $json.n + 1 }}", c: "=n is {{ $json.n }}" });
    expect(new Function("$json", `return ${source}`)({ n: 2 })).toEqual({ a: [1, "x"], b: 3, c: "n is 2" });
    const text = '={"a":{"b":{{ $json.n }}}} and {{ $json.n }} }}';
    const embedded = /^=\{\{ (.*) \}\}$/s.exec(computed(js([text, "}} {{"])))?.[1] ?? "";
    expect(embedded).not.toContain("}}");
    expect(new Function("$json", `return ${embedded}`)({ n: 2 })).toEqual(['{"a":{"b":2}} and 2 }}', "}} {{"]);
    expect(computed("({ a: {} })")).not.toContain("}})");
  });

  it("is encoded in an address where it is written out", () => {
    expect(url`https://x/${"a b/c"}/${17}`).toBe("https://x/a%20b%2Fc/17");
    expect(url`https://x/${"={{ $json.id }}"}/${"y"}`).toBe("=https://x/{{ $json.id }}/y");
    expect(encoded("={{ $json.id }}")).toMatch(/^=\{\{ encodeURIComponent\(\(\s*\$json\.id\s*\)\) \}\}$/);
  });
});

describe("a node of an app", () => {
  const reasonOf = (type: string, parameters: JsonObject, version = 1) => {
    const node: N8nNode = {
      ...{ name: "App", type, fullType: type, version, parameters, path: "$", disabled: false },
      spec: {
        name: "App",
        type,
        typeVersion: version,
        position: undefined,
        parameters,
        credentials: undefined,
        disabled: undefined,
      },
    } as N8nNode; // cast: what is left out is undefined in a document as well
    const made = lowerApp(node, (what) => `App ${what}`);
    return made === undefined
      ? undefined
      : "reason" in made
        ? made.reason
        : made.nodes.map(({ name, type: kind }) => `${name}: ${kind}`);
  };
  const sheet = { documentId: rl("id", "d"), sheetName: rl("list", "gid=0"), options: {} };
  const table = { base: rl("id", "b"), table: rl("id", "t"), options: {} };

  it.each<[string, JsonObject, number, string]>([
    ["googleSheets", { ...sheet, operation: "clear" }, 4.5, "there is no node here that does sheet: clear"],
    [
      "googleSheets",
      { ...sheet, operation: "append", columns: { mappingMode: "defineBelow", value: {} } },
      4.5,
      "no value is set for a column",
    ],
    [
      "googleSheets",
      { ...sheet, operation: "update", columns: { mappingMode: "autoMapInputData", value: {} } },
      4.5,
      "no column is chosen that says which row it is",
    ],
    ["googleSheets", { ...sheet, options: { newOne: 1 } }, 4.5, "its setting options.newOne has no equal here"],
    [
      "airtable",
      { ...table, operation: "search", options: { downloadAttachments: ["Photo"] } },
      2.1,
      "it downloads files",
    ],
    [
      "airtable",
      { ...table, operation: "upsert", columns: { value: { a: 1 } } },
      2.1,
      "it names no column to find records by",
    ],
    [
      "slack",
      { select: "channel", channelId: rl("id", "C"), messageType: "attachment" },
      2.2,
      "it sends attachments, which are computed from its fields",
    ],
    ["slack", { operation: "sendAndWait" }, 2.3, "there is no node here that does message: sendAndWait"],
    ["telegram", { operation: "sendPhoto", chatId: "1", binaryData: true }, 1, "it sends a file"],
    [
      "telegram",
      { resource: "file", fileId: "1" },
      1,
      "it downloads a file: the address of a file of Telegram has the token of the bot in it",
    ],
    [
      "gmail",
      { sendTo: "a@x.example", options: { attachmentsUi: { attachmentsBinary: [{}] } } },
      2.1,
      "it attaches files",
    ],
    ["gmail", { operation: "sendAndWait" }, 2.1, "there is no node here that does message: sendAndWait"],
    [
      "notion",
      { resource: "databasePage", databaseId: "d", title: "T", blockUi: { blockValues: [{ type: "paragraph" }] } },
      2,
      "it writes blocks into the page",
    ],
    [
      "notion",
      {
        resource: "databasePage",
        databaseId: "d",
        propertiesUi: { propertyValues: [{ key: "A|date", date: "tomorrow" }] },
      },
      2,
      "tomorrow is not a date with its time and its zone, such as 2026-01-31T09:00:00Z",
    ],
    ["googleDrive", { operation: "download" }, 2, "it downloads a file"],
    [
      "github",
      { resource: "file", operation: "get", owner: "a", repository: "b", filePath: "c" },
      1,
      "it downloads a file",
    ],
    [
      "slack",
      { select: "channel", channelId: rl("id", "C"), text: "Hi", requestOptions: { batching: {}, timeout: 3 } },
      2.2,
      "it has options of its requests",
    ],
  ])("of %s says why it has no equal", (type, parameters, version, reason) => {
    expect(reasonOf(type, parameters, version)).toBe(reason);
  });

  it("becomes steps, the last of which has its name", () => {
    expect(reasonOf("slack", { select: "channel", channelId: rl("id", "C"), text: "Hi" }, 2.2)).toEqual([
      "App request: httpRequest",
      "App: code",
    ]);
    expect(reasonOf("noOp", {})).toBeUndefined();
  });
});
