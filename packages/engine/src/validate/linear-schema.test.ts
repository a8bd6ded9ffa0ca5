import type { JsonObject } from "@oven/contract";
import { growthOf } from "@oven/testing";
import { describe, expect, it } from "vitest";
import { validateJson, violationsOf } from "./json-schema.ts";

const letters = (size: number) => `${"a".repeat(size)}!`;
const NESTED = "^(a+)+$";

/** Each with a value of a size that lets a backtracking matcher go back and forth. */
const CASES: Record<string, (size: number) => [JsonObject, unknown]> = {
  pattern: (size) => [{ type: "string", pattern: NESTED }, letters(size)],
  "pattern beside a format": (size) => [{ type: "string", format: "regex", pattern: "^(a|a)*$" }, letters(size)],
  propertyNames: (size) => [{ propertyNames: { pattern: NESTED } }, { [letters(size)]: 1 }],
  patternProperties: (size) => [{ patternProperties: { [NESTED]: { type: "number" } } }, { [letters(size)]: 1 }],
  "a schema under a keyword nobody knows": (size) => [{ $ref: "#/x/y", x: { y: { pattern: NESTED } } }, letters(size)],
  dependencies: (size) => [
    { dependencies: { k: { propertyNames: { pattern: NESTED } } } },
    { k: 1, [letters(size)]: 1 },
  ],
  // cast: no schema at all, as somebody may send it
  "properties that are a list": (size) => [
    { properties: [{ pattern: NESTED }] } as unknown as JsonObject,
    { 0: letters(size) },
  ],
  "a list of one that stands for a text": (size) => [{ pattern: [NESTED] }, letters(size)],
  "the format url": (size) => [{ format: "url" }, `http://${letters(size)}`],
  "the format uri": (size) => [{ format: "uri" }, `x:${"a/".repeat(size / 2)}\\`],
  "the format email": (size) => [{ format: "email" }, `"${"\\a".repeat(size / 2)}`],
};

describe("long numbers", () => {
  const fits = (schema: JsonObject, value: unknown) => violationsOf(schema, value, "$").length === 0;
  const INT64: JsonObject = { type: "integer", format: "int64" };

  it.each([
    [INT64, "9223372036854775807", true],
    [INT64, "-9223372036854775808", true],
    [INT64, 42, true],
    [INT64, "9223372036854775808", false],
    [INT64, "12.5", false],
    [INT64, "", false],
    [INT64, 1.5, false],
    [{ type: "integer" }, "42", false],
    [{ type: "integer", format: "uint64" }, "18446744073709551615", true],
    [{ type: "integer", format: "uint64" }, "18446744073709551616", false],
    [{ type: "integer", format: "uint64" }, "-1", false],
    [{ type: ["number", "null"], format: "decimal" }, "0.1234567890123456789", true],
    [{ type: ["number", "null"], format: "decimal" }, "a lot", false],
    [{ type: "string", format: "decimal" }, "1e400", true],
    [{ type: "string", format: "decimal" }, 1, false],
    [{ properties: { format: { type: "integer" } } }, { format: "42" }, false],
  ] satisfies [JsonObject, unknown, boolean][])("%j takes %j: %s", (schema, value, expected) => {
    expect(fits(schema, value)).toBe(expected);
  });
});

describe("patterns in schemas of users", () => {
  it.each(Object.entries(CASES))("do not go back and forth over 100,000 characters: %s", (_name, build) => {
    const judge = (size: number) => {
      const [schema, value] = build(size);
      return violationsOf(schema, value, "$");
    };
    // Few enough that even a backtracking matcher comes to its end: six characters more are 64 times the work for it.
    const at = (size: number) => growthOf((more) => judge(size + more), 1, 6);
    expect(at(16)).toBeLessThan(20);
    expect(growthOf(judge, 12_500, 8)).toBeLessThan(30);
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
