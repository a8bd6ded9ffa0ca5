import type { Json, JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { checkSchema } from "./json-schema.ts";
import { Problems } from "./problems.ts";

const problems = (schema: JsonObject): string[] => {
  const found = new Problems();
  checkSchema(schema, ["payloadSchema"], found);
  return found.list.map(({ path, severity }) => `${severity} ${path}`);
};

it.each<[string, Json]>([
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((key): [string, Json] => [key, "one"]),
  ["exclusiveMinimum", true],
  ["multipleOf", 0],
  ...["minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"].map((key): [string, Json] => [
    key,
    -1,
  ]),
  ["minProperties", 1.5],
  ["maxProperties", "3"],
  ...["uniqueItems", "deprecated", "readOnly", "writeOnly"].map((key): [string, Json] => [key, "yes"]),
  ...["title", "description", "format", "$comment", "contentEncoding"].map((key): [string, Json] => [key, 1]),
  ["enum", "a"],
  ["enum", []],
  ["required", "message"],
  ["required", ["a", "a"]],
  ["required", true],
  ["dependentRequired", { a: "b" }],
  ["dependentSchemas", { a: [] }],
  ["dependencies", { a: 1 }],
  ["properties", ["a"]],
  ["properties", { a: "string" }],
  ["patternProperties", { "^a": null }],
  ["$defs", "x"],
  ["additionalProperties", "no"],
  ["unevaluatedProperties", 1],
  ["propertyNames", "a"],
  ["items", [{ type: "string" }]],
  ["items", "string"],
  ["prefixItems", {}],
  ["prefixItems", []],
  ["contains", "x"],
  ["allOf", { type: "string" }],
  ["anyOf", []],
  ["oneOf", ["string"]],
  ["not", null],
  ["if", 1],
  ["then", "x"],
  ["else", []],
  ["type", "text"],
  ["pattern", "("],
  ["$ref", "#/$defs/none"],
])("%s: %j is refused at its place, also within another schema", (keyword, value) => {
  expect(problems({ [keyword]: value })).toEqual([expect.stringMatching(/^error \$\.payloadSchema\b.+/)]);
  expect(problems({ type: "object", properties: { inner: { [keyword]: value } } }).length).toBe(1);
  expect(problems({ dependentSchemas: { card: { [keyword]: value } } }).length).toBe(1);
});

it("a keyword with a letter wrong is told, other annotations are not", () => {
  expect(problems({ type: "string", minLenght: 3 })).toEqual(["warning $.payloadSchema.minLenght"]);
  expect(problems({ type: "string", "x-order": 1, ui: "wide", nullable: true, example: "x" })).toEqual([]);
});

it("what is a schema of the draft has no problem", () => {
  expect(
    problems({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: ["object", "null"],
      properties: {
        a: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
        b: { enum: [null, 1] },
        c: { type: "array", prefixItems: [{ type: "string" }, true], items: false, uniqueItems: true },
        minimum: { type: "string" },
      },
      dependentRequired: { a: ["b"] },
      required: [],
      additionalProperties: false,
      default: { minimum: "one" },
    }),
  ).toEqual([]);
});
