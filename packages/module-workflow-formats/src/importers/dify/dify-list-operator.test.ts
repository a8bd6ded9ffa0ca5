import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { app, at, chain, end, start } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const by = (comparison_operator: string, value: Json): JsonObject => ({
  filter_by: { enabled: true, conditions: [{ key: "", comparison_operator, value }] },
});
const TEXTS: Json = ["pear", "apple", "", "\u{1F34E}", "\uFF5E", "plum"];
const NUMBERS: Json = [3, 1.5, 10, 3];

function flow(list: Json, more: JsonObject): JsonObject {
  const isText = Array.isArray(list) && typeof list[0] !== "number";
  const type = isText ? "string" : "number";
  const make = at("make", {
    ...{
      type: "code",
      code_language: "javascript",
      code: `function main() { return { list: ${JSON.stringify(list)} } }`,
    },
    variables: [],
  });
  const operate = at("operate", {
    ...{ type: "list-operator", variable: ["make", "list"], var_type: `array[${type}]`, item_var_type: type, ...more },
  });
  const nodes = [
    ...[start({ variable: "x", type: "text-input", required: true }), make, operate],
    end("end", ["all", "operate", "result"], ["first", "operate", "first_record"], ["last", "operate", "last_record"]),
  ];
  return app(nodes, chain("start", "make", "operate", "end"));
}
const run = (list: Json, more: JsonObject, x = "pl") => story.run(flow(list, more), { x });

describe("a list operator of Dify", () => {
  it.each<[Json, JsonObject, Json]>([
    [TEXTS, by("contains", "{{#start.x#}}"), ["apple", "plum"]],
    [TEXTS, by("start with", "p"), ["pear", "plum"]],
    [TEXTS, by("end with", "r"), ["pear"]],
    [TEXTS, by("is", "plum"), ["plum"]],
    [TEXTS, by("in", "a pear"), ["pear", ""]],
    [TEXTS, by("empty", ""), [""]],
    [TEXTS, by("not contains", "p"), ["", "\u{1F34E}", "\uFF5E"]],
    [NUMBERS, by("≥", "3"), [3, 10, 3]],
    [NUMBERS, by("≠", "3"), [1.5, 10]],
    // By characters, not by the halves of them that JavaScript compares.
    [TEXTS, { order_by: { enabled: true, value: "asc" } }, ["", "apple", "pear", "plum", "\uFF5E", "\u{1F34E}"]],
    [NUMBERS, { order_by: { enabled: true, value: "desc" }, limit: { enabled: true, size: 2 } }, [10, 3]],
    [NUMBERS, { ...by(">", "2"), extract_by: { enabled: true, serial: "2" } }, [10]],
    [TEXTS, { limit: { enabled: false, size: 1 } }, TEXTS],
    [[], { ...by("is", "a"), extract_by: { enabled: true, serial: "2" } }, []],
  ])("of %j set to %j gives %j", async (list, more, expected) => {
    const { output, error } = await run(list, more);
    const all = expected as Json[]; // cast: as written above
    expect([output, error]).toEqual([{ all, first: all[0] ?? null, last: all.at(-1) ?? null }, null]);
  });

  it.each<[JsonObject]>([[{ extract_by: { enabled: true, serial: "9" } }], [by("=", "{{#start.x#}}")]])(
    "fails where Dify fails: %j",
    async (more) => {
      expect((await run(NUMBERS, more)).status).toBe("failed");
    },
  );

  it.each<[JsonObject, string]>([
    [{ item_var_type: "file" }, "make.list of “make”, which is no file that comes into runs here"],
    [{ item_var_type: "object" }, "its list is one of objects"],
    [by("matches", "x"), "by “matches”"],
    [by("in", ["a"]), "by “in”"],
    [{ limit: { enabled: true, size: "2" } }, "is not written out"],
  ])("set to %j stays a placeholder", async (more, why) => {
    const { report } = await readForeign(JSON.stringify(flow(TEXTS, more)));
    const { outcome, notes } = report.elements.find(({ name }) => name === "operate") ?? {};
    expect([outcome, notes?.[0]]).toEqual(["placeholder", expect.stringContaining(why)]);
  });
});
