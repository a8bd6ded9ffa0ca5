import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { called, documentOf, linked, n8nNode, writes } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const split = (name: string, fieldToSplitOut: string) => n8nNode(name, "splitOut", { fieldToSplitOut });
const into = (input: number): JsonObject => ({ main: [[{ node: "Merge", type: "main", index: input }]] });
const merge = (parameters: JsonObject, typeVersion = 3) => n8nNode("Merge", "merge", parameters, { typeVersion });
/** Two lists that are merged. */
const lists = (parameters: JsonObject, typeVersion?: number, more: JsonObject[] = []) =>
  documentOf(
    [called("Start"), split("Left", "left"), split("Right", "right"), merge(parameters, typeVersion), ...more],
    {
      ...{ Start: linked(["Left", "Right"]), Left: into(0), Right: into(1) },
      ...(more.length === 0 ? {} : { Merge: linked([String(more[0]?.name)]) }),
    },
  );
const PEOPLE: JsonObject[] = [
  { id: 1, name: "Ann", at: { city: "Oslo", zip: 5 } },
  { id: 2, name: "Bob" },
  { name: "Cid" },
];
const ORDERS: JsonObject[] = [
  { id: 1, sum: 5, at: { city: "Rome" } },
  { id: 1, sum: 7 },
  { id: "2", sum: 9 },
];
const given = { left: PEOPLE, right: ORDERS };
const by = (joinMode: string, more: JsonObject = {}): JsonObject => ({
  ...{ mode: "combine", combineBy: "combineByFields", fieldsToMatchString: "id", joinMode },
  ...more,
});
const clash = (values: JsonObject): JsonObject => ({ options: { clashHandling: { values } } });
const [ann = {}, bob = {}, cid = {}] = PEOPLE;
const [first = {}, second = {}, third = {}] = ORDERS;
const both = { id: 1, name: "Ann", sum: 5, at: { city: "Rome", zip: 5 } };
const again = { id: 1, name: "Ann", sum: 7, at: { city: "Oslo", zip: 5 } };

describe("a Merge of n8n over lists", () => {
  it.each<[string, JsonObject, Json, number?]>([
    ["appends", {}, [...PEOPLE, ...ORDERS]],
    ["keeps matches", by("keepMatches"), [both, again]],
    ["keeps matches of one side", by("keepMatches", { outputDataFrom: "input1" }), [ann]],
    ["keeps matches of the other side", by("keepMatches", { outputDataFrom: "input2" }), [first, second]],
    ["keeps the first match", by("keepMatches", { options: { multipleMatches: "first" } }), [both]],
    ["keeps what does not match", by("keepNonMatches", { outputDataFrom: "input1" }), [bob, cid]],
    [
      "keeps what does not match of both, and says of which",
      by("keepNonMatches"),
      [
        { ...bob, _source: "input1" },
        { ...cid, _source: "input1" },
        { ...third, _source: "input2" },
      ],
    ],
    ["keeps everything", by("keepEverything"), [both, again, bob, cid, third]],
    ["enriches the first", by("enrichInput1"), [both, again, bob, cid]],
    [
      "enriches the second, whose own fields give way",
      by("enrichInput2"),
      [{ ...both, at: { city: "Oslo", zip: 5 } }, again, third],
    ],
    [
      "prefers the first, and takes no part of a field",
      by("keepMatches", clash({ resolveClash: "preferInput1", mergeMode: "shallowMerge" })),
      [
        { ...first, ...ann },
        { ...second, ...ann },
      ],
    ],
    [
      "renames fields",
      by("enrichInput1", { ...clash({ resolveClash: "addSuffix" }), fieldsToMatchString: "name" }),
      [{ id_1: 1, name_1: "Ann", at_1: { city: "Oslo", zip: 5 } }, { id_1: 2, name_1: "Bob" }, { name_1: "Cid" }],
    ],
    [
      "matches fields of other names, within others",
      by("keepMatches", { advanced: true, mergeByFields: { values: [{ field1: "at.zip", field2: "sum" }] } }),
      [both],
    ],
    [
      "combines by position",
      { mode: "combine", combineBy: "combineByPosition" },
      [both, { ...bob, ...second }, { ...cid, ...third }],
    ],
    [
      "combines all with all",
      {
        mode: "combine",
        combinationMode: "multiplex",
        ...clash({ resolveClash: "preferInput1", mergeMode: "shallowMerge" }),
      },
      ORDERS.flatMap((order) => PEOPLE.map((person) => ({ ...order, ...person }))),
      2.1,
    ],
    ["removes by a key", { mode: "removeKeyMatches", propertyName1: "id", propertyName2: "id" }, [cid], 1],
    ["keeps by a key", { mode: "keepKeyMatches", propertyName1: "id", propertyName2: "id" }, [ann, bob], 1],
    [
      "merges by a key, where nothing stands yet",
      { mode: "mergeByKey", propertyName1: "id", propertyName2: "id", overwrite: "undefined" },
      [
        { ...ann, sum: 7 },
        { ...bob, sum: 9 },
      ],
      1,
    ],
    ["chooses a side", { mode: "chooseBranch", useDataOfInput: 2 }, ORDERS],
  ])("%s", async (_what, parameters, expected, typeVersion) => {
    const { status, output, report } = await story.run(lists(parameters, typeVersion), given);
    expect([status, output, report.elements.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
      ...["completed", expected],
      ["mapped", "mapped", "mapped", "mapped"],
    ]);
  });

  it.each<[string, JsonObject, JsonObject, number?]>([
    ["nothing matches", by("keepMatches"), { left: [{ id: 3 }], right: ORDERS }],
    ["a side is empty", by("keepMatches"), { left: PEOPLE, right: [] }],
    [
      "all match",
      { mode: "removeKeyMatches", propertyName1: "id", propertyName2: "id" },
      { left: [ann], right: ORDERS },
      1,
    ],
    ["it needs both sides", { mode: "chooseBranch" }, { left: PEOPLE, right: [] }],
  ])("leads nowhere where %s", async (_what, parameters, input, typeVersion) => {
    const { status, output } = await story.run(lists(parameters, typeVersion, [writes("After")]), input);
    expect([status, output]).toEqual(["completed", []]);
  });

  it("goes on for each item, also where a side is empty or one item, after steps for each", async () => {
    const use = n8nNode("Use", "set", {
      assignments: { assignments: [{ name: "u", type: "string", value: "={{ $json.name }}" }] },
    });
    const run = async (input: JsonObject, parameters: JsonObject = by("enrichInput1")) => {
      const { output } = await story.run(lists(parameters, 3, [use]), input);
      return output;
    };
    const items = await story.run(lists(by("keepNonMatches", { outputDataFrom: "input1" }), 3, [use]), given);
    const { body } = await story.call("GET", `agent-workflow-executions/${items.id}/nodes`);
    expect(JSON.stringify(body)).toContain('"u":"Bob"');
    expect(JSON.stringify(body)).toContain('"u":"Cid"');
    expect(await run({ left: [{ id: 7, name: "Eve" }], right: [] })).not.toEqual([]);
    const named = n8nNode("Named", "set", {
      assignments: { assignments: [{ name: "id", type: "number", value: "={{ $json.id }}" }] },
    });
    const document = documentOf(
      [called("Start"), split("Left", "left"), named, writes("Other"), merge({ mode: "append" })],
      { Start: linked(["Left", "Other"]), Left: linked(["Named"]), Named: into(0), Other: into(1) },
    );
    const one = await story.run(document, {
      left: [
        { id: 1, x: 2 },
        { id: 2, x: 3 },
      ],
    });
    expect(one.output).toEqual([{ id: 1 }, { id: 2 }, { w: "Other" }]);
  });

  it("takes one item of each side, none where a choice led elsewhere, and leads nowhere if nothing is left", async () => {
    const isYes = n8nNode("Yes?", "if", {
      conditions: {
        ...{ options: { version: 2 }, combinator: "and" },
        conditions: [
          { leftValue: "={{ $json.way }}", rightValue: "yes", operator: { type: "string", operation: "equals" } },
        ],
      },
    });
    const fields = { mode: "removeKeyMatches", propertyName1: "w", propertyName2: "w" };
    const same = { ...writes("Same"), name: "Same 2" };
    const nodes = [called("Start"), writes("Same"), isYes, same, merge(fields, 1), writes("After")];
    const document = documentOf(nodes, {
      ...{ Start: linked(["Same", "Yes?"]), "Yes?": linked(["Same 2"]), Same: into(0), "Same 2": into(1) },
      Merge: linked(["After"]),
    });
    const after = async (way: string) => (await story.run(document, { way })).output;
    expect(await after("yes")).toEqual([]);
    expect(await after("no")).not.toEqual([]);
  });

  it.each<[string, JsonObject, string, number?]>([
    ["compares loosely", by("keepMatches", { options: { fuzzyCompare: true } }), "Fuzzy Compare"],
    ["prefers what is not empty", by("keepMatches", clash({ overrideEmpty: true })), "not empty"],
    ["computes its fields", by("keepMatches", { fieldsToMatchString: "={{ $json.x }}" }), "computed"],
    ["names no field", by("keepMatches", { fieldsToMatchString: "" }), "names no field"],
    ["combines by SQL", { mode: "combineBySql" }, "SQL"],
  ])("stays a placeholder that says why where it %s", async (_what, parameters, why, typeVersion) => {
    const nodes = [called("Start"), writes("One"), writes("Two"), merge(parameters, typeVersion)];
    const document = documentOf(nodes, { Start: linked(["One", "Two"]), One: into(0), Two: into(1) });
    const { report } = await story.preview(document);
    const { outcome, notes } = report.elements.find(({ name }) => name === "Merge") ?? {};
    expect([outcome, notes?.join()]).toEqual(["placeholder", expect.stringContaining(why)]);
  });

  it("stays a placeholder where it would merge again, or a choice decides whether a side has its item", async () => {
    const nodes = [
      called("Start"),
      n8nNode("Pass", "filter", { conditions: {} }),
      writes("Two"),
      merge(by("keepMatches")),
    ];
    const links = { Start: linked(["Pass", "Two"]), Pass: into(0), Two: into(1) };
    expect((await story.preview(documentOf(nodes, links))).outcomes.Merge).toBe("placeholder");
    const round = [called("Start"), writes("One"), writes("Two"), merge(by("keepMatches"))];
    const back = { Start: linked(["One", "Two"]), One: into(0), Two: into(1), Merge: linked(["One"]) };
    expect((await story.preview(documentOf(round, back))).outcomes.Merge).toBe("placeholder");
  });
});
