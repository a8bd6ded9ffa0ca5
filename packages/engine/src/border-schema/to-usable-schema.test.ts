import type { JsonObject } from "@oven/contract";
import { expect, test } from "vitest";
import { z } from "zod";
import { schemaProblems, violationsOf } from "../validate/json-schema.ts";
import { toUsableSchema } from "./to-usable-schema.ts";

test.each([
  ["an e-mail address", z.email(), "a@example.com"],
  [
    "an e-mail address of zod 4.0",
    z.email({ pattern: /^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-.]*)[A-Za-z0-9_+-]@x$/ }),
    "a@x",
  ],
  ["a duration", z.iso.duration(), "P1D"],
  ["an emoji", z.emoji(), "🙂"],
  ["a tuple", z.tuple([z.string(), z.number()]), ["x", 1]],
])("the schema that zod writes for %s can be used", (_name, type, value) => {
  for (const target of ["draft-7", "draft-2020-12"] as const) {
    // cast: a JSON Schema is JSON
    const given = z.toJSONSchema(z.object({ v: type }), { target }) as Parameters<typeof toUsableSchema>[0];
    const { schema } = toUsableSchema(given);
    expect(schemaProblems(schema, [])).toEqual([]);
    expect(violationsOf(schema, { v: value }, "$")).toEqual([]);
    expect(violationsOf(schema, { v: false }, "$")).not.toEqual([]);
  }
});

test.each<[string, JsonObject, JsonObject]>([
  [
    "draft-04",
    { id: "a", properties: { n: { minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false } } },
    { id: "a", properties: { n: { maximum: 9, exclusiveMinimum: 0 } } },
  ],
  ["draft-04, with comments of its own", { type: "string", examples: "a word", description: null }, { type: "string" }],
  [
    "draft-06",
    { items: [{ type: "string" }], additionalItems: false, examples: [["a"]] },
    { prefixItems: [{ type: "string" }], items: false, examples: [["a"]] },
  ],
  [
    "draft-07, a tuple of nothing",
    { type: "array", items: [], additionalItems: false },
    { type: "array", items: false },
  ],
  [
    "draft-07",
    { dependencies: { a: ["b"], c: { required: ["d"] } }, definitions: { e: true } },
    { dependentRequired: { a: ["b"] }, dependentSchemas: { c: { required: ["d"] } }, definitions: { e: true } },
  ],
])("a schema of %s is read as it is meant", (_name, given, expected) => {
  const { schema, notes } = toUsableSchema(given);
  expect(schema).toEqual(expected);
  expect(notes).toEqual([]);
  expect(schemaProblems(schema, [])).toEqual([]);
});

test("only what cannot be checked is dropped, and it is said where", () => {
  const given = {
    type: "object",
    properties: {
      mail: { type: "string", minLength: 3, pattern: "^(?!a)b" },
      code: { type: "string", pattern: "^a" },
      pattern: { enum: [{ pattern: "(?!a)" }] },
    },
  };
  expect(toUsableSchema(given)).toEqual({
    schema: {
      ...given,
      properties: { ...given.properties, mail: { type: "string", minLength: 3 } },
    },
    notes: [
      {
        path: "$.mail",
        what: "pattern",
        name: "^(?!a)b",
        message: "the pattern ^(?!a)b cannot be checked, and is left out",
      },
    ],
  });
});

test("without a pattern for keys the others are free", () => {
  const { schema, notes } = toUsableSchema({
    patternProperties: { "^(?!a)": { type: "string" }, "^a": { type: "integer" } },
    additionalProperties: false,
  });
  expect(schema).toEqual({ patternProperties: { "^a": { type: "integer" } } });
  expect(notes).toEqual([
    { path: "$", what: "keys-by-pattern", message: expect.stringContaining("other keys are free") },
  ]);
});

test("nothing is narrowed where a pattern is left out", () => {
  const pattern = { pattern: "^(?!a)" };
  const cases: JsonObject[] = [
    { not: pattern },
    { oneOf: [pattern, {}] },
    { if: pattern, else: false },
    { contains: pattern },
  ];
  for (const given of cases) {
    const { schema, notes } = toUsableSchema(given);
    expect(schema).toEqual({});
    expect(notes).toHaveLength(1);
  }
});
