import type { Json, JsonObject } from "@oven/contract";
import type { GeneratedRun, RunGenerator } from "../../../importing/testing/compare-runs.ts";
import type { Random } from "../../../importing/testing/random.ts";
import { runStates } from "./reference-states.ts";

function passOf(random: Random): JsonObject {
  const given: JsonObject = random.pick<JsonObject>([
    {},
    { Result: random.pick<Json>([1, "$.x", { n: 7 }, "{{ x }}"]) },
    { Parameters: { "x.$": "$.x", kept: { "n.$": "$.n", "all.$": "$" } } },
    { Parameters: { "first.$": "$$.Execution.Input.x" } },
    { Parameters: { "said.$": "States.Format('{}: {} \\{\\}', $.x, $.n)", "list.$": "States.Array($.n, null, 'a')" } },
    { Parameters: { "n.$": "States.MathAdd($.n, -2)", "length.$": "States.ArrayLength(States.Array($.x, 1))" } },
    { InputPath: random.pick(["$.n", "$.none", null]) },
    { InputPath: "$", Parameters: { "name.$": "$$.State.Name", "read.$": "States.StringToJson('{\"a\": [1]}')" } },
  ]);
  // What stays in place of the whole document has to be one that later states can read.
  return {
    Type: "Pass",
    ...given,
    ...(Object.keys(given).length > 0 || random.chance(50)
      ? { ResultPath: random.pick(["$.made", "$['made']", "$.deep.er", null]) }
      : {}),
  };
}

const ruleOf = (random: Random, depth = 0): JsonObject => {
  if (depth < 2 && random.chance(25)) {
    const rules = () => [ruleOf(random, depth + 1), ruleOf(random, depth + 1)];
    return random.pick<JsonObject>([{ And: rules() }, { Or: rules() }, { Not: ruleOf(random, depth + 1) }]);
  }
  const [Variable, test] = random.pick<[string, JsonObject]>([
    ["$.n", { NumericEquals: random.below(4) }],
    ["$.n", { NumericLessThan: random.below(4) }],
    ["$.n", { NumericGreaterThanEquals: random.below(4) }],
    ["$.n", { StringEquals: "2" }],
    ["$.x", { StringEquals: "red" }],
    ["$.x", { StringMatches: random.pick(["r*", "*d", "*.*", "red"]) }],
    ["$.flag", { BooleanEquals: true }],
    ["$.made", { IsPresent: random.chance(50) }],
    ["$.x", { [random.pick(["StringLessThan", "StringGreaterThanEquals"])]: random.pick(["read", "red"]) }],
    ["$.x", { StringEqualsPath: random.pick(["$.other", "$.n"]) }],
    ["$.n", { [random.pick(["NumericLessThanEqualsPath", "NumericEqualsPath"])]: random.pick(["$.two", "$.x"]) }],
    ["$.flag", { BooleanEqualsPath: "$.flag" }],
    ["$.when", { [random.pick(["TimestampLessThan", "TimestampEquals"])]: "2026-05-01T12:00:00+02:00" }],
    ["$.when", { TimestampGreaterThanEqualsPath: random.pick(["$.later", "$.x"]) }],
    [
      random.pick(["$.x", "$.n", "$.flag", "$.none", "$.when", "$.none2"]),
      { [random.pick(["IsString", "IsNumeric", "IsBoolean", "IsTimestamp", "IsNull"])]: random.chance(70) },
    ],
    ["$.none", { IsNull: true }],
    ["$.none", { IsPresent: true }],
  ]);
  return { Variable, ...test };
};

/** What runs in rounds and branches: it may fail. */
function innerOf(random: Random): JsonObject {
  const name = `I${random.below(1_000_000)}`;
  const make: JsonObject = {
    Type: "Pass",
    ...random.pick<JsonObject>([{}, { Result: 1, ResultPath: "$.made" }, { Parameters: { "all.$": "$" } }]),
  };
  const stop = { Type: "Fail", Error: "Sold.Out", Cause: "Nothing." };
  const end = random.pick<JsonObject>([{ Type: "Succeed" }, { Type: "Pass", Result: "end", End: true }]);
  const ask = { Type: "Choice", Choices: [{ ...ruleOf(random), Next: `${name}end` }], Default: `${name}stop` };
  return random.chance(60)
    ? { StartAt: name, States: { [name]: { ...make, End: true } } }
    : {
        StartAt: `${name}ask`,
        States: { [`${name}ask`]: ask, [`${name}stop`]: random.chance(50) ? stop : end, [`${name}end`]: end },
      };
}

function bodyOf(random: Random, later: () => string): JsonObject {
  const caught = {
    ErrorEquals: [random.pick(["States.ALL", "Sold.Out", "Other"])],
    ResultPath: "$.error",
    Next: later(),
  };
  const how: JsonObject = {
    ...random.pick<JsonObject>([{}, { ResultSelector: { "first.$": "$[0]" } }]),
    ResultPath: random.pick(["$.made", null]),
    ...(random.chance(50) ? { Catch: [caught] } : {}),
  };
  if (random.chance(50)) {
    const Branches = Array.from({ length: random.between(1, 3) }, () => innerOf(random));
    return { Type: "Parallel", Branches, ...how };
  }
  const item = {
    ItemSelector: { "x.$": "$.x", "n.$": "$$.Map.Item.Value", "flag.$": "$.flag", "at.$": "$$.Map.Item.Index" },
  };
  return {
    Type: "Map",
    ItemsPath: "$.list",
    ItemProcessor: innerOf(random),
    ...how,
    ...(random.chance(70) ? item : {}),
  };
}

function generateRun(random: Random): GeneratedRun {
  const count = random.between(2, 8);
  const nameOf = (index: number) => `S${index}`;
  const States: JsonObject = {};
  for (let index = 0; index < count; index += 1) {
    const later = () => nameOf(random.between(index + 1, count));
    States[nameOf(index)] = random.chance(40)
      ? {
          Type: "Choice",
          Choices: Array.from({ length: random.between(1, 3) }, () => ({ ...ruleOf(random), Next: later() })),
          ...(random.chance(85) ? { Default: later() } : {}),
        }
      : { ...(random.chance(25) ? bodyOf(random, later) : passOf(random)), Next: later() };
  }
  States[nameOf(count)] = random.pick<JsonObject>([
    { Type: "Succeed" },
    { Type: "Succeed", OutputPath: "$.x" },
    { Type: "Pass", InputPath: "$.x", End: true },
    { Type: "Pass", OutputPath: "$.n", End: true },
    { Type: "Fail", Error: "Sold.Out", Cause: "None is left." },
  ]);
  const document: JsonObject = { StartAt: nameOf(0), States };
  const input: JsonObject = {
    x: random.pick(["red", "read", "a.b"]),
    n: random.below(4),
    flag: random.chance(50),
    none: null,
    other: random.pick(["red", "read"]),
    two: 2,
    list: random.pick<Json[]>([[], [1], [2, 0, 3]]),
    when: random.pick(["2026-05-01T10:00:00Z", "2026-05-01T09:59:59.999Z", "2026-04-31T10:00:00Z"]),
    later: "2026-05-01T11:00:00+01:00",
  };
  return {
    document,
    input,
    reference: () => runStates(document, input),
    compared: ({ steps: _, ...result }) => result,
  };
}

/** State machines of Pass, Choice, Map, Parallel, Succeed and Fail. */
export const runs: RunGenerator = { product: "states-language", generateRun };
