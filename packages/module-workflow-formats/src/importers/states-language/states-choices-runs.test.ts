import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { machine, rulesMachine } from "./testing/machines.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const INPUT: JsonObject = {
  ...{ s: "b", other: "b", n: 2, more: 3, yes: true, no: false, none: null, list: [1], object: {}, star: "a*b" },
  ...{ early: "2026-01-01T00:00:00Z", late: "2026-01-01T00:30:00.5+00:00", zone: "2026-01-01T01:00:00+01:00" },
  ...{ leap: "2024-02-29T00:00:00Z", never: "2026-02-29T00:00:00Z", "day only": "2026-01-01", held: {} },
};

/** Rules that hold for the input by the specification, and rules that do not. */
const HOLD: JsonObject[] = [
  { Variable: "$.s", StringEqualsPath: "$.other" },
  { Variable: "$.s", StringLessThan: "c" },
  { Variable: "$.s", StringLessThanEquals: "b" },
  { Variable: "$.s", StringGreaterThan: "a" },
  { Variable: "$.s", StringGreaterThanEqualsPath: "$.other" },
  { Variable: "$.star", StringMatches: "a\\*b" },
  { Variable: "$.star", StringMatches: "a*" },
  { Variable: "$.n", NumericEquals: 2 },
  { Variable: "$.n", NumericLessThanPath: "$.more" },
  { Variable: "$.more", NumericGreaterThanEqualsPath: "$.n" },
  { Variable: "$.yes", BooleanEqualsPath: "$.yes" },
  { Variable: "$.early", TimestampEquals: "2026-01-01T01:00:00+01:00" },
  { Variable: "$.early", TimestampEqualsPath: "$.zone" },
  { Variable: "$.early", TimestampLessThan: "2026-01-01T00:00:00.001Z" },
  { Variable: "$.late", TimestampGreaterThanPath: "$.early" },
  { Variable: "$['day only']", IsTimestamp: false },
  { Variable: "$.leap", IsTimestamp: true },
  { Variable: "$.never", IsTimestamp: false },
  { Variable: "$.s", IsString: true },
  { Variable: "$.n", IsNumeric: true },
  { Variable: "$.no", IsBoolean: true },
  { Variable: "$.list", IsString: false },
  { Variable: "$.none", IsNull: true },
  { Variable: "$.s", IsNull: false },
  { Variable: "$.absent", IsPresent: false },
  { Not: { Variable: "$.n", StringEquals: "2" } },
  {
    And: [
      { Variable: "$.n", IsPresent: true },
      { Variable: "$.n", IsNumeric: true },
    ],
  },
  { Or: [{ Variable: "$.absent", IsPresent: true }, { Not: { Variable: "$.no", BooleanEquals: true } }] },
  { Variable: "$$.Execution.Input.s", StringEquals: "b" },
  { Variable: "$$.Execution.StartTime", TimestampGreaterThan: "2001-01-01T00:00:00Z" },
];
const DO_NOT: JsonObject[] = [
  { Variable: "$.s", StringEqualsPath: "$.star" },
  { Variable: "$.n", StringEqualsPath: "$.n" },
  { Variable: "$.s", StringLessThan: "b" },
  { Variable: "$.n", StringGreaterThan: "1" },
  { Variable: "$.s", StringMatches: "a\\*b" },
  { Variable: "$.object", StringMatches: "*" },
  { Variable: "$.s", NumericLessThan: 9 },
  { Variable: "$.s", NumericEqualsPath: "$.s" },
  { Variable: "$.yes", BooleanEqualsPath: "$.no" },
  { Variable: "$.early", TimestampGreaterThanPath: "$.zone" },
  { Variable: "$.s", TimestampLessThan: "2030-01-01T00:00:00Z" },
  { Variable: "$.never", TimestampLessThanPath: "$.late" },
  { Variable: "$.never", IsTimestamp: true },
  { Variable: "$.n", IsTimestamp: true },
  { Variable: "$.n", IsString: true },
  { Variable: "$.yes", IsNumeric: true },
  { Variable: "$.none", IsBoolean: true },
  { Variable: "$.none", IsNull: false },
  { Variable: "$.none", IsPresent: false },
];

describe("a Choice of a state machine", () => {
  it.each([
    ["holds where the specification says so", HOLD, HOLD.map((_, index) => `r${index}`)],
    ["does not hold otherwise, and never for a value of another type", DO_NOT, []],
  ])("%s", async (_name, rules, expected) => {
    const { status, output } = await story.run(rulesMachine(rules), INPUT);
    expect(status).toBe("completed");
    expect(Object.keys(output)).toEqual(expected);
  });

  it.each<[JsonObject, string]>([
    [{ Variable: "$.n", NumericEquals: "2" }, "the comparison NumericEquals"],
    [{ Variable: "$.n", TimestampEquals: "yesterday" }, "the comparison TimestampEquals"],
    [{ Variable: "$.n", BooleanLessThan: true }, "the comparison BooleanLessThan"],
    [{ Variable: "$.n", IsString: "yes" }, "the comparison IsString"],
    [{ Variable: "$.n", constructor: true }, "the comparison constructor"],
    [{ Variable: "$.s", StringMatches: "a\\b" }, "an open backslash"],
    [{ Variable: "$..s", IsPresent: true }, "the path $..s"],
    [{ Variable: "$$.Task.Token", IsPresent: true }, "$$.Task.Token of the context object"],
  ])("%j stays open, and says why", async (rule, why) => {
    const { outcomes, report } = await story.preview(rulesMachine([rule]));
    expect(outcomes["Ask 0"]).toBe("placeholder");
    expect(JSON.stringify(report)).toContain(why);
  });
});

describe("a Wait of a state machine", () => {
  const waits = (given: JsonObject) => machine({ Hold: { Type: "Wait", ...given }, Done: { Type: "Pass" } });

  it.each<JsonObject>([
    { SecondsPath: "$.delay.seconds" },
    { TimestampPath: "$.past" },
    { Timestamp: "2020-01-01T00:00:00+02:00" },
  ])("%j goes on with what it got", async (given) => {
    const input = { delay: { seconds: 1 }, past: "2020-01-01T00:00:00Z" };
    const started = Date.now();
    const { status, output } = await story.run(waits(given), input);
    expect([status, output]).toEqual(["completed", input]);
    if ("SecondsPath" in given) expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
  });

  it("fails where its time is none", async () => {
    const wrong: JsonObject[] = [{ SecondsPath: "$.past" }, { TimestampPath: "$.delay" }];
    for (const given of wrong) expect((await story.run(waits(given), { delay: 1, past: "now" })).status).toBe("failed");
  });

  it.each<JsonObject>([
    { Seconds: -1 },
    { Seconds: `$\{Time}` },
    { Timestamp: "tomorrow" },
    { Seconds: 1, SecondsPath: "$.a" },
    {},
  ])("%j stays open", async (given) => {
    expect((await story.preview(waits(given))).outcomes.Hold).toBe("placeholder");
  });
});

it("a Fail says what its paths read", async () => {
  const document = machine({ Stop: { Type: "Fail", CausePath: "$.why", ErrorPath: "States.Format('E-{}', $.n)" } });
  const { status, error } = await story.run(document, { why: "Sold out", n: 4 });
  expect(status).toBe("failed");
  expect(JSON.stringify(error)).toContain("Sold out");
});
