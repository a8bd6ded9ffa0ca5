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
  ]);
  // What stays in place of the whole document has to be one that later states can read.
  return {
    Type: "Pass",
    ...given,
    ...(Object.keys(given).length > 0 || random.chance(50)
      ? { ResultPath: random.pick(["$.made", "$['made']", null]) }
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
    ["$.none", { IsNull: true }],
    ["$.none", { IsPresent: true }],
  ]);
  return { Variable, ...test };
};

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
      : { ...passOf(random), Next: later() };
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
  };
  return {
    document,
    input,
    reference: () => runStates(document, input),
    compared: ({ steps: _, ...result }) => result,
  };
}

/** State machines of Pass, Choice, Succeed and Fail. */
export const runs: RunGenerator = { product: "states-language", generateRun };
