import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { validateJson, violationsOf } from "./json-schema.ts";

const LONG = `${"a".repeat(100_000)}!`;

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Backtracking would take minutes; RE2 takes milliseconds, on a busy machine too. */
const BACKTRACKING_MS = 10_000;

describe("patterns in schemas of users", () => {
  it.each<[string, JsonObject, unknown]>([
    ["pattern", { type: "string", pattern: "^(a+)+$" }, LONG],
    [
      "pattern beside a format",
      { type: "string", format: "regex", pattern: "^(a|a)*$" },
      "a".repeat(4_000).concat("!"),
    ],
    ["propertyNames", { propertyNames: { pattern: "^(a+)+$" } }, { [LONG]: 1 }],
    ["patternProperties", { patternProperties: { "^(a+)+$": { type: "number" } } }, { [LONG]: 1 }],
    ["a schema under a keyword nobody knows", { $ref: "#/x/y", x: { y: { pattern: "^(a+)+$" } } }, LONG],
    ["dependencies", { dependencies: { k: { propertyNames: { pattern: "^(a+)+$" } } } }, { k: 1, [LONG]: 1 }],
    ["properties that are a list", { properties: [{ pattern: "^(a+)+$" }] } as unknown as JsonObject, { 0: LONG }],
    ["a list of one that stands for a text", { pattern: ["^(a+)+$"] } as unknown as JsonObject, LONG],
    ["the format url", { format: "url" }, `http://${"a".repeat(100_000)}!`],
    ["the format uri", { format: "uri" }, `x:${"a/".repeat(50_000)}\\`],
    ["the format email", { format: "email" }, `"${"\\a".repeat(50_000)}`],
  ])("do not go back and forth over 100,000 characters: %s", (_name, schema, value) => {
    violationsOf(schema, "", "$");
    expect(timed(() => violationsOf(schema, value, "$"))).toBeLessThan(BACKTRACKING_MS);
  });

  it("mean what they mean in JSON Schema", () => {
    const check = (schema: JsonObject, value: unknown) => violationsOf(schema, value, "$").map(({ path }) => path);
    expect(check({ pattern: "^\\d{3}$" }, "123")).toEqual([]);
    expect(check({ pattern: "^\\u00e9" }, "école")).toEqual([]);
    expect(check({ properties: { a: { pattern: "^x" } } }, { a: "y" })).toEqual(["$.a"]);
    expect(check({ format: "email", pattern: "example\\.com$" }, "a@example.com")).toEqual([]);
    expect(check({ format: "email", pattern: "example\\.com$" }, "a@example.org")).toEqual(["$"]);
    expect(check({ enum: [{ pattern: "(" }] }, { pattern: "(" })).toEqual([]);
    expect(check({ properties: { pattern: { type: "string" } }, required: ["pattern"] }, { pattern: "(" })).toEqual([]);
    const headers = {
      properties: { "x-id": { type: "string" } },
      patternProperties: { "^x-": { maxLength: 3 }, id$: { minLength: 2 } },
      additionalProperties: false,
    };
    expect(check(headers, { "x-id": "abc", "x-a": "b" })).toEqual([]);
    expect(check(headers, { "x-id": "a" })).toEqual(["$.x-id"]);
    expect(check(headers, { "x-a": "abcd" })).toEqual(["$.x-a"]);
    expect(check(headers, { other: 1 })).toContain("$.other");
  });

  it("say the pattern, not how it is decided", () => {
    expect(violationsOf({ pattern: "^a$" }, "b", "$.input")).toEqual([
      { path: "$.input", message: 'String does not match pattern "^a$".' },
    ]);
    expect(validateJson({ pattern: "^a$" }, "b")).toMatchObject([{ path: "$", rule: "pattern" }]);
  });

  it("match nothing when RE2 cannot take them, and formats of JavaScript's own names decide nothing", () => {
    expect(violationsOf({ pattern: "(?=a)a" }, "a", "$")).toHaveLength(1);
    for (const format of ["__proto__", "toString", "constructor"])
      expect(violationsOf({ format }, "a", "$")).toEqual([]);
  });

  it("refuse more keys than can be looked at", () => {
    const value = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, {}]));
    expect(violationsOf({ patternProperties: { "^k": {} } }, value, "$")[0]?.message).toContain("too many");
  });
});
