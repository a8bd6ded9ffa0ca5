import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { machine } from "./testing/machines.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
beforeEach(() => {
  story.shop.asked = [];
  story.shop.statuses = [];
});
afterAll(() => story.stop());

const each = (processor: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ Type: "Map", ItemsPath: "$.list", ItemProcessor: processor, ...more },
});
const both = (branches: JsonObject[], more: JsonObject = {}): JsonObject => ({
  ...{ Type: "Parallel", Branches: branches, ...more },
});
const http = (path: string): JsonObject => ({
  ...{ Type: "Task", Resource: "arn:aws:states:::http:invoke" },
  Parameters: { "ApiEndpoint.$": `States.Format('${story.shop.origin}/{}', ${path})`, Method: "GET" },
});
const INPUT = { list: [{ n: 1 }, { n: 5 }, { n: 9 }], unit: "kg" };

describe("a Map of a state machine", () => {
  it("gives each round its item, and hands on what the rounds come to in order", async () => {
    const processor = machine({
      Big: { Type: "Choice", Choices: [{ Variable: "$.n", NumericGreaterThan: 4, Next: "Yes" }], Default: "No" },
      Yes: { Type: "Pass", Result: "big", ResultPath: "$.size", End: true },
      No: { Type: "Succeed", OutputPath: "$.n" },
    });
    const document = machine({ Each: each(processor, { ResultPath: "$.sizes" }), Say: { Type: "Pass" } });
    const { status, output } = await story.run(document, INPUT);
    expect([status, output]).toEqual([
      "completed",
      { ...INPUT, sizes: [1, { n: 5, size: "big" }, { n: 9, size: "big" }] },
    ]);
  });

  it("makes the item of what is around it and of its number, and selects from the results", async () => {
    const processor = machine({
      Keep: { Type: "Pass", Parameters: { "at.$": "$.at", "again.$": "$$.Map.Item.Index" } },
    });
    const selector = { "at.$": "$$.Map.Item.Index", "n.$": "$$.Map.Item.Value.n", "unit.$": "$.unit" };
    const document = machine({
      Each: each(processor, {
        ItemSelector: selector,
        MaxConcurrency: 1,
        ResultSelector: { "places.$": "$[*].again" },
      }),
    });
    expect((await story.run(document, INPUT)).output).toEqual({ places: [0, 1, 2] });
    const older = machine({ Each: { Type: "Map", Iterator: machine({ In: { Type: "Pass" } }), Parameters: selector } });
    expect((await story.run(older, { list: 1 })).status).toBe("failed");
    const whole = machine({ Each: { Type: "Map", InputPath: "$.list", Iterator: machine({ In: { Type: "Pass" } }) } });
    expect((await story.run(whole, INPUT)).output).toEqual(INPUT.list);
    expect((await story.run(whole, { list: [] })).output).toEqual([]);
  });

  it("within another one has a document of its own", async () => {
    const inner = each(machine({ In: { Type: "Pass", Parameters: { "it.$": "$" } } }), {
      ...{ ItemsPath: "$.row", ItemSelector: { "cell.$": "$$.Map.Item.Value", "of.$": "$.name" }, ResultPath: "$.row" },
    });
    const document = machine({ Each: each(machine({ Row: inner, Tell: { Type: "Pass", InputPath: "$.row" } })) });
    const list = [
      { name: "a", row: [1, 2] },
      { name: "b", row: [3] },
    ];
    expect((await story.run(document, { list })).output).toEqual([
      [{ it: { cell: 1, of: "a" } }, { it: { cell: 2, of: "a" } }],
      [{ it: { cell: 3, of: "b" } }],
    ]);
  });

  it("whose round fails is caught, by the name of the error too", async () => {
    const processor = machine({
      Big: { Type: "Choice", Choices: [{ Variable: "$.n", NumericGreaterThan: 4, Next: "Stop" }], Default: "Fine" },
      Stop: { Type: "Fail", Error: "TooBig", Cause: "It is too big." },
      Fine: { Type: "Succeed" },
    });
    const document = (name: string) => ({
      StartAt: "Each",
      States: {
        Each: {
          ...each(processor, { Catch: [{ ErrorEquals: [name], ResultPath: "$.error", Next: "Caught" }] }),
          End: true,
        },
        Caught: { Type: "Pass", InputPath: "$.error.Error", End: true },
      },
    });
    expect((await story.run(document("TooBig"), INPUT)).output).toBe("TooBig");
    expect((await story.run(document("States.ALL"), INPUT)).output).toBe("TooBig");
    const { status, error } = await story.run(document("Other"), INPUT);
    expect(status).toBe("failed");
    expect(JSON.stringify(error)).toContain("It is too big.");
  });

  it("has steps that stay open in its rounds, and what leads to them", async () => {
    const processor = machine({ Ask: { Type: "Task", Resource: "arn:one" }, Then: { Type: "Pass" } });
    const { outcomes, problems } = await story.preview(machine({ Each: each(processor) }));
    expect(outcomes).toMatchObject({ Each: "noted", Ask: "placeholder", Then: "mapped" });
    expect(problems).toHaveLength(1);
  });

  it.each<[string, JsonObject]>([
    [
      "DISTRIBUTED",
      { ItemProcessor: { ...machine({ In: { Type: "Pass" } }), ProcessorConfig: { Mode: "DISTRIBUTED" } } },
    ],
    ["it has ItemReader", { ItemReader: {} }],
    ["it has ToleratedFailureCount", { ToleratedFailureCount: 1 }],
    ["it has Retry", { Retry: [{ ErrorEquals: ["States.ALL"] }] }],
    ["not said in one way", { Iterator: machine({ Other: { Type: "Pass" } }) }],
    ["$.list[0:1]", { ItemsPath: "$.list[0:1]" }],
  ])("stays open, with what is in it: %s", async (why, more) => {
    const { outcomes, report } = await story.preview(machine({ Each: each(machine({ In: { Type: "Pass" } }), more) }));
    expect(outcomes).toMatchObject({ Each: "placeholder", In: "ignored" });
    expect(JSON.stringify(report)).toContain(why);
  });
});

describe("a Parallel of a state machine", () => {
  it("gives each branch its input, and hands on what they come to in order", async () => {
    const document = machine({
      Both: both(
        [
          machine({ Left: { Type: "Pass", Result: 1, ResultPath: "$.left" }, Done: { Type: "Succeed" } }),
          machine({ Right: { Type: "Pass", InputPath: "$.unit" } }),
          machine({ Wait: { Type: "Wait", Seconds: 1, OutputPath: "$.list[0].n" } }),
        ],
        { ResultPath: "$.parts" },
      ),
      Say: { Type: "Pass", Parameters: { "unit.$": "$.unit", "parts.$": "$.parts" } },
    });
    const { status, output } = await story.run(document, INPUT);
    expect([status, output]).toEqual(["completed", { unit: "kg", parts: [{ ...INPUT, left: 1 }, "kg", 1] }]);
  });

  it("selects from the results, of one branch too", async () => {
    const branch = machine({ In: { Type: "Pass", InputPath: "$.a" } });
    const document = machine({
      Both: both([branch], { Parameters: { "a.$": "$.unit" }, ResultSelector: { "one.$": "$[0]" } }),
    });
    expect((await story.run(document, INPUT)).output).toEqual({ one: "kg" });
  });

  it("whose branch fails is caught", async () => {
    const document = machine({
      Both: both([machine({ Call: http("$.unit") }), machine({ Fine: { Type: "Pass" } })], {
        ...{
          Catch: [{ ErrorEquals: ["States.Http.StatusCode.404"], ResultPath: "$.error", Next: "Caught" }],
          End: true,
        },
      }),
      Caught: { Type: "Pass", InputPath: "$.error.Error", End: true },
    });
    story.shop.statuses = [404];
    expect((await story.run(document, INPUT)).output).toBe("States.Http.StatusCode.404");
    story.shop.statuses = [400];
    expect((await story.run(document, INPUT)).status).toBe("failed");
    expect((await story.run(document, INPUT)).output).toMatchObject([{ StatusCode: 200 }, INPUT]);
    expect(story.shop.asked.map(({ url }) => url)).toEqual(["/kg", "/kg", "/kg"]);
  });

  it("in the rounds of a Map, with a Map in a branch", async () => {
    const cells = each(machine({ Cell: { Type: "Pass" } }), { ItemsPath: "$.row" });
    const document = machine({
      Each: each(
        machine({ Both: both([machine({ Cells: cells }), machine({ Name: { Type: "Pass", InputPath: "$.name" } })]) }),
      ),
    });
    const list = [
      { name: "a", row: [1, 2] },
      { name: "b", row: [] },
    ];
    expect((await story.run(document, { list })).output).toEqual([
      [[1, 2], "a"],
      [[], "b"],
    ]);
  });

  it("of which no rule of a choice holds fails where it is, and is caught there", async () => {
    const choice = machine({
      Ask: { Type: "Choice", Choices: [{ Variable: "$.unit", StringEquals: "t", Next: "In" }] },
      In: { Type: "Succeed" },
    });
    const document = machine({
      Both: both([choice], { Catch: [{ ErrorEquals: ["States.NoChoiceMatched"], Next: "Caught" }], End: true }),
      Caught: { Type: "Pass", Result: "caught", End: true },
    });
    expect((await story.run(document, INPUT)).output).toBe("caught");
  });

  it("stays open where it is tried again as a whole", async () => {
    const { outcomes } = await story.preview(
      machine({ Both: both([machine({ In: { Type: "Pass" } })], { Retry: [{ ErrorEquals: ["States.ALL"] }] }) }),
    );
    expect(outcomes).toMatchObject({ Both: "placeholder", In: "ignored" });
  });
});
