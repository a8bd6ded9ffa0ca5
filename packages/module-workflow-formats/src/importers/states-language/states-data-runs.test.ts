import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { machine } from "./testing/machines.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const pass = (state: JsonObject) => machine({ Make: { Type: "Pass", ...state } });
const INPUT: JsonObject = {
  ...{ name: "Ada", n: 3, half: 1.5, yes: true, none: null, list: [1, "b", 1], object: { a: 1, b: { c: 2 } } },
  ...{ text: '{"a":[1,{"b":null}]}', rows: [{ id: 1 }, { id: 2, x: 3 }, { other: 4 }], "odd key": { "a-b": 7 } },
};

/** By the specification of the functions. */
const FUNCTIONS: [written: string, result: Json][] = [
  ["States.Format('Hello {}, {} of {}', $.name, $.n, 'x')", "Hello Ada, 3 of x"],
  ["States.Format('{} {} {}', $.yes, $.none, 1.5)", "true null 1.5"],
  ["States.Format('\\{\\} it\\'s {}', $.half)", "{} it's 1.5"],
  ["States.Format('{{ $.x }}')", "{{ $.x }}"],
  ["States.Format('')", ""],
  ["States.StringToJson($.text)", { a: [1, { b: null }] }],
  ["States.StringToJson(States.Format('[{}]', $.n))", [3]],
  ["States.JsonToString($.object)", '{"a":1,"b":{"c":2}}'],
  ["States.Array()", []],
  ["States.Array('$.x', $.n, null, States.Array(true))", ["$.x", 3, null, [true]]],
  ["States.ArrayContains($.list, 'b')", true],
  ["States.ArrayContains($.list, 2)", false],
  ["States.ArrayContains(States.Array($.object), $.object)", true],
  ["States.ArrayGetItem($.list, 1)", "b"],
  ["States.ArrayGetItem($.list, States.MathAdd($.n, -1))", 1],
  ["States.ArrayLength($.list)", 3],
  ["States.ArrayRange(1, 9, 2)", [1, 3, 5, 7, 9]],
  ["States.ArrayRange(2, 0, -1)", [2, 1, 0]],
  ["States.MathAdd($.n, 4)", 7],
  ["States.MathAdd($.n, -10)", -7],
  ["States.Base64Encode('hé')", "aMOp"],
  ['States.JsonMerge($.object, States.StringToJson(\'{"b":0,"z":1}\'), false)', { a: 1, b: 0, z: 1 }],
  ["States.ArrayPartition($.list, 2)", [[1, "b"], [1]]],
  ["States.ArrayLength(States.ArrayPartition($.list, 2))", 2],
  ["States.StringSplit('a/b c', '/ ')", ["a", "b", "c"]],
  ["States.StringSplit('AWS::EC2::Instance', '::')", ["AWS", "EC2", "Instance"]],
  ["States.ArrayGetItem(States.StringSplit('a/b', '/'), 1)", "b"],
  ["States.ArrayUnique($.list)", [1, "b"]],
  ["States.ArrayUnique(States.Array($.object, $.object, 1, '1'))", [INPUT.object ?? null, 1, "1"]],
  ["$.rows[*].id", [1, 2]],
  ["$.list[*]", [1, "b", 1]],
  ["$['odd key'].a-b", 7],
  ['$["odd key"]["a-b"]', 7],
  ["$.rows[1].x", 3],
  ["$$.State.Name", "Make"],
];

describe("a value that a state machine computes", () => {
  it("is what the specification says", async () => {
    const fields = FUNCTIONS.map(([written], index): [string, string] => [`f${index}.$`, written]);
    const { status, output } = await story.run(pass({ Parameters: Object.fromEntries(fields) }), INPUT);
    expect(status).toBe("completed");
    expect(output).toEqual(Object.fromEntries(FUNCTIONS.map(([, result], index) => [`f${index}`, result])));
  });

  it.each([
    "States.StringToJson($.name)",
    "States.StringToJson($.n)",
    "States.Format('{}', $.object)",
    "States.ArrayGetItem($.list, 9)",
    "States.ArrayLength($.object)",
    "States.ArrayContains($.object, 'a')",
    "States.MathAdd($.name, 1)",
    "States.StringSplit('a,,b', ',')",
    "States.StringSplit($.n, ',')",
    "States.ArrayUnique($.object)",
    "States.JsonMerge($.object, $.list, false)",
    "$.object[*]",
    "$.missing",
  ])("fails the run where it fails there: %s", async (written) => {
    const { status } = await story.run(pass({ Parameters: { "x.$": written } }), INPUT);
    expect(status).toBe("failed");
  });

  it.each([
    "States.UUID()",
    "States.MathRandom(1, 9)",
    "States.Hash($.name, 'MD5')",
    "States.StringSplit($.name)",
    "States.Base64Decode('aGk=')",
    "States.ArrayUnique($.list, $.list)",
    "States.JsonMerge($.object, $.object, true)",
    "States.JsonMerge($.object, States.JsonMerge($.object, $.object, false), false)",
    "States.JsonToString(States.Array(1))",
    "States.Format($.name, 1)",
    "States.Format('{}')",
    "States.Format('a', 1)",
    "States.ArrayRange(0, $.n, 1)",
    "States.MathAdd(1)",
    "States.constructor(1)",
    "States.Format('a'",
    "States.Format('a') b",
    "Format('a')",
    "$.rows[?(@.id == 1)]",
    "$.rows[*].a.b",
    "$.list[0:1]",
    "$$.Task.Token",
    "$$.Map.Item.Value",
  ])("stays open: %s", async (written) => {
    expect((await story.preview(pass({ Parameters: { "x.$": written } }))).outcomes.Make).toBe("placeholder");
  });
});

describe("a Pass of a state machine", () => {
  it.each<[JsonObject, Json]>([
    [
      { InputPath: "$.object", ResultPath: "$.kept" },
      { ...INPUT, kept: INPUT.object ?? null },
    ],
    [
      { Result: "{{ $.n }}", ResultPath: "$.object.b.deep.er" },
      { ...INPUT, object: { a: 1, b: { c: 2, deep: { er: "{{ $.n }}" } } } },
    ],
    [{ Result: 0, ResultPath: "$.list[1]", OutputPath: "$.list" }, [1, 0, 1]],
    [{ InputPath: null }, {}],
    [
      { InputPath: null, Parameters: { "all.$": "$", fixed: [{ "n.$": "$$.Execution.Input.n" }] } },
      { all: {}, fixed: [{ n: 3 }] },
    ],
    [{ Result: { a: [1] }, OutputPath: "$.a[0]" }, 1],
    [{ Result: 1, ResultPath: null, OutputPath: "$.object.b" }, { c: 2 }],
    [{ ResultPath: null, OutputPath: null }, {}],
    [{ OutputPath: "$$.Execution.Input.half" }, 1.5],
    [
      {
        Parameters: { "m.$": "States.JsonMerge($.object, $.object, false)" },
        ResultPath: "$.n",
        OutputPath: "$.n.m.b",
      },
      { c: 2 },
    ],
  ])("%j hands on what the specification says", async (state, expected) => {
    const { status, output } = await story.run(pass(state), INPUT);
    expect([status, output]).toEqual(["completed", expected]);
  });

  it("fails where its result would go through a value that is no object", async () => {
    expect((await story.run(pass({ Result: 1, ResultPath: "$.name.deep" }), INPUT)).status).toBe("failed");
  });

  it.each<JsonObject>([
    { ResultPath: "$[0]" },
    { InputPath: null, Parameters: { "x.$": "$.a" } },
    { Parameters: { $x: 1 } },
  ])("%j stays open", async (state) => {
    expect((await story.preview(pass(state))).outcomes.Make).toBe("placeholder");
  });
});

it.each<JsonObject>([{ InputPath: "$.absent" }, { OutputPath: "$.absent" }, { Result: 1, ResultPath: "$.name.deep" }])(
  "what is missing fails the run, whatever follows: %j",
  async (state) => {
    const document = machine({ Make: { Type: "Pass", ...state }, Then: { Type: "Pass" }, End: { Type: "Succeed" } });
    expect((await story.run(document, INPUT)).status).toBe("failed");
  },
);

it("a Task that stays open leads to where its ResultSelector says", async () => {
  const { report } = await story.preview(
    machine({
      Ask: { Type: "Task", Resource: "arn", ResultSelector: { "n.$": "States.UUID()" }, ResultPath: "$.asked" },
    }),
  );
  expect(JSON.stringify(report)).toContain(
    "Where its result goes was not imported: the intrinsic function States.UUID",
  );
});
