import type { Json, JsonObject } from "@oven/contract";
import { compileGuard } from "@oven/engine";
import { scopeOf } from "@oven/engine/testing";
import { describe, expect, it } from "vitest";
import { toPath } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { translateConditions } from "./n8n-conditions.ts";

const references = {
  pathOf: (_node: string | undefined, segments: readonly (string | number)[]) => toPath("$.trigger", segments),
  compute: (source: string): never => {
    throw new NoEquivalent(`${source} is computed`);
  },
};
const STRICT: JsonObject = { caseSensitive: true, typeValidation: "strict" };

type Row = [
  type: string,
  operation: string,
  right: Json,
  actual: Json | undefined,
  holds: boolean,
  options?: JsonObject,
];

function holds(type: string, operation: string, right: Json, actual: Json | undefined, options = STRICT): boolean {
  const conditions = [{ leftValue: "={{ $json.v }}", rightValue: right, operator: { type, operation } }];
  const guard = compileGuard(translateConditions({ conditions, combinator: "and", options }, references));
  return guard(scopeOf({}, actual === undefined ? {} : { v: actual }));
}

describe("a condition of n8n", () => {
  const rows: Row[] = [
    ["string", "exists", "", null, false],
    ["string", "exists", "", "", true],
    ["string", "exists", "", undefined, false],
    ["string", "notExists", "", null, true],
    ["string", "notExists", "", "x", false],
    ["string", "empty", "", null, true],
    ["string", "notEmpty", "", "x", true],
    ["number", "empty", "", 0, false],
    ["array", "empty", "", [], true],
    ["object", "notEmpty", "", { a: 1 }, true],
    ["string", "equals", "", undefined, true],
    ["string", "notEquals", "x", undefined, true],
    ["string", "equals", "x", "X", false],
    ["string", "equals", "x", "X", true, { caseSensitive: false, typeValidation: "strict" }],
    ["string", "contains", "b.", "AB.C", true, { typeValidation: "strict" }],
    ["number", "gt", "4", "5", true, { caseSensitive: true }],
    ["number", "gt", "4", "5", false],
    ["number", "equals", "5", 5, true],
    ["boolean", "true", "", true, true],
    ["boolean", "true", "", "true", true, { caseSensitive: true, typeValidation: "loose" }],
    ["array", "contains", "a", ["a"], true],
    ["array", "contains", 1, ["1"], false],
  ];

  it.each(rows)("%s %s %j of %j: %s", (type, operation, right, actual, expected, options) => {
    expect(holds(type, operation, right, actual, options)).toBe(expected);
  });

  it.each<[string, string, JsonObject]>([
    ["dateTime", "equals", STRICT],
    ["dateTime", "after", STRICT],
    ["array", "contains", { caseSensitive: false }],
    ["array", "lengthGt", STRICT],
    ["string", "regex", STRICT],
  ])("has no equal here: %s %s", (type, operation, options) => {
    expect(() => holds(type, operation, "a", "a", options)).toThrow(NoEquivalent);
  });
});
