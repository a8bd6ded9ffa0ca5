import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it, test } from "vitest";
import { violationsOf } from "../validate/json-schema.ts";
import { KEYWORDS, SCHEMA_PROFILES, type SchemaProfile, supportOf } from "./schema-profiles.ts";
import { toBorderSchema, toStrictSchema } from "./to-border-schema.ts";

const A = { type: "string" };
const B = { type: "integer" };
/** A key that the linter takes for that of a promise. */
const THEN = "then";

/** For each keyword a schema of one property that uses it, and one that fits it. */
const EXAMPLES: Record<string, [schema: JsonObject, value: Json]> = {
  type: [A, "x"],
  enum: [{ enum: ["x", "y"] }, "x"],
  const: [{ const: "x" }, "x"],
  properties: [{ type: "object", properties: { a: A } }, { a: "x" }],
  required: [{ type: "object", properties: { a: A }, required: ["a"] }, { a: "x" }],
  additionalProperties: [{ type: "object", additionalProperties: B }, { a: 1 }],
  patternProperties: [{ type: "object", patternProperties: { "^x-": A }, additionalProperties: false }, { "x-a": "x" }],
  propertyNames: [{ type: "object", propertyNames: { pattern: "^a" } }, { a: 1 }],
  minProperties: [{ type: "object", minProperties: 1 }, { a: 1 }],
  maxProperties: [{ type: "object", maxProperties: 1 }, { a: 1 }],
  dependentRequired: [
    { type: "object", dependentRequired: { a: ["b"] } },
    { a: 1, b: 2 },
  ],
  dependentSchemas: [
    { type: "object", dependentSchemas: { a: { required: ["b"] } } },
    { a: 1, b: 2 },
  ],
  unevaluatedProperties: [{ type: "object", properties: { a: A }, unevaluatedProperties: false }, { a: "x" }],
  items: [{ type: "array", items: A }, ["x"]],
  prefixItems: [{ type: "array", prefixItems: [A, B], items: false }, ["x", 1]],
  unevaluatedItems: [{ type: "array", prefixItems: [A], unevaluatedItems: false }, ["x"]],
  minItems: [{ type: "array", items: A, minItems: 1 }, ["x"]],
  maxItems: [{ type: "array", items: A, maxItems: 1 }, ["x"]],
  uniqueItems: [{ type: "array", items: A, uniqueItems: true }, ["x", "y"]],
  contains: [{ type: "array", items: {}, contains: B }, ["x", 1]],
  minContains: [{ type: "array", items: {}, contains: B, minContains: 2 }, [1, 2]],
  maxContains: [{ type: "array", items: {}, contains: B, maxContains: 1 }, ["x", 1]],
  minimum: [{ type: "number", minimum: 1 }, 1],
  maximum: [{ type: "number", maximum: 1 }, 1],
  exclusiveMinimum: [{ type: "number", exclusiveMinimum: 0 }, 0.5],
  exclusiveMaximum: [{ type: "number", exclusiveMaximum: 2 }, 1.5],
  multipleOf: [{ type: "number", multipleOf: 2 }, 4],
  minLength: [{ type: "string", minLength: 1 }, "x"],
  maxLength: [{ type: "string", maxLength: 1 }, "x"],
  pattern: [{ type: "string", pattern: "^x" }, "xy"],
  format: [{ type: "string", format: "uri" }, "http://a.example"],
  anyOf: [{ anyOf: [A, B] }, 1],
  oneOf: [{ oneOf: [A, B] }, 1],
  allOf: [{ allOf: [{ type: "string" }, { enum: ["x", "y"] }] }, "x"],
  not: [{ not: { type: "integer" } }, "x"],
  if: [{ if: { type: "string" }, [THEN]: { enum: ["x"] }, else: { type: "integer" } }, "x"],
  [THEN]: [{ type: "string", if: { enum: ["x"] }, [THEN]: { enum: ["x", "y"] } }, "x"],
  else: [{ if: { type: "string" }, else: { type: "integer" } }, 1],
};

const inProperty = (schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { p: schema },
  required: ["p"],
  additionalProperties: false,
});
const PAIRS = KEYWORDS.flatMap((keyword) => SCHEMA_PROFILES.map((profile) => [keyword, profile] as const));

/** Every keyword in a schema, at any depth, but not in the words about what was left out. */
function keywordsIn(schema: Json): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsIn);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === "properties") return ["properties", ...Object.values(value as JsonObject).flatMap(keywordsIn)]; // cast: a map
    return [key, ...(key === "enum" || key === "const" || key === "required" ? [] : keywordsIn(value))];
  });
}

describe("the table", () => {
  it("has an example of every keyword", () => {
    expect(Object.keys(EXAMPLES)).toEqual([...KEYWORDS]);
  });

  test.each(PAIRS)("%s is sent to %s as the table says, or left out with a note", (keyword, profile) => {
    const [example, value] = EXAMPLES[keyword] ?? [{}, null];
    const full = inProperty(example);
    expect(violationsOf(full, { p: value }, "$")).toEqual([]);
    const { schema, notes } = toBorderSchema(full, profile);
    for (const used of new Set(keywordsIn(schema))) {
      if (used !== "description") expect(["no", "anyOf", "enum"], used).not.toContain(supportOf(used, profile));
    }
    expect(violationsOf(schema, { p: value }, "$")).toEqual([]);
    const support = supportOf(keyword, profile);
    if (support === "yes" && keyword !== "format") expect(keywordsIn(schema)).toContain(keyword);
    if (support === "no") expect(notes.map(({ path }) => path)).toContain("$.p");
    if (notes.some(({ message }) => message.includes("not taken")))
      expect(JSON.stringify(schema)).toContain("Must also fit");
  });

  test.each(PAIRS)("%s at the root of what %s takes", (keyword, profile) => {
    const [example] = EXAMPLES[keyword] ?? [{}];
    const { schema } = toBorderSchema({ ...example, type: "object" }, profile);
    expect(schema).toMatchObject({ type: "object", properties: expect.any(Object) });
    for (const used of Object.keys(schema)) expect(["no", "inside"], used).not.toContain(supportOf(used, profile));
  });

  test("what a client of MCP gets, OpenAI and Anthropic both take", () => {
    for (const keyword of KEYWORDS) {
      const both = [supportOf(keyword, "openai-api"), supportOf(keyword, "anthropic-api")];
      if (both.includes("no")) expect(supportOf(keyword, "mcp"), keyword).toBe("no");
      else if (both.includes("inside")) expect(supportOf(keyword, "mcp"), keyword).toBe("inside");
      else expect(supportOf(keyword, "mcp"), keyword).toBe("yes");
    }
  });
});

test.each(SCHEMA_PROFILES)("older drafts are said in the words of 2020-12 to %s", (profile) => {
  const schema = {
    $schema: "http://json-schema.org/draft-04/schema#",
    type: "object",
    definitions: { amount: { type: "number", minimum: 0, exclusiveMinimum: true } },
    properties: {
      amount: { $ref: "#/definitions/amount" },
      pair: { type: "array", items: [A, B], additionalItems: false },
    },
  };
  const sent = toBorderSchema(schema, profile).schema;
  const text = JSON.stringify(sent);
  expect(text).not.toMatch(/\$ref|definitions|\$schema|additionalItems|"exclusiveMinimum":true/);
  expect(violationsOf(sent, { amount: 1, pair: ["x", 1] }, "$")).toEqual([]);
  if (profile !== "gemini-api" && profile !== "openai-strict")
    expect(sent.properties).toEqual({
      amount: { type: "number", exclusiveMinimum: 0 },
      pair: { type: "array", prefixItems: [A, B], maxItems: 2 },
    });
  // The full schema is read in the same way.
  const paths = (value: Json) => violationsOf(schema, value, "$").map(({ path }) => path);
  expect(paths({ amount: 0 })).toEqual(["$.amount"]);
  expect(paths({ pair: [1, 1] })).toEqual(["$.pair[0]"]);
  expect(paths({ pair: ["x", 1, 2] })).not.toEqual([]);
});

test.each(SCHEMA_PROFILES)("an object without properties has some for %s, and a list has items", (profile) => {
  expect(toBorderSchema({ type: "object" }, profile)).toEqual({
    schema: { type: "object", properties: {} },
    notes: [],
  });
  expect(toBorderSchema({}, profile).schema).toEqual({ type: "object", properties: {} });
  const list = { type: "object", properties: { l: { type: "array" } } };
  expect(toBorderSchema(list, profile).schema).toEqual({ ...list, properties: { l: { type: "array", items: {} } } });
});

test("alternatives at the root are shown side by side", () => {
  const kind = (name: string, more: JsonObject) => ({
    type: "object",
    properties: { kind: { const: name }, ...more },
    required: ["kind", ...Object.keys(more)],
    additionalProperties: false,
  });
  const { schema, notes } = toBorderSchema({ oneOf: [kind("a", { x: A }), kind("b", { y: B })] }, "anthropic-api");
  expect(schema).toMatchObject({
    type: "object",
    properties: { kind: { anyOf: [{ const: "a" }, { const: "b" }] }, x: A, y: B },
    required: ["kind"],
    additionalProperties: false,
  });
  expect(notes).toEqual([
    {
      path: "$",
      what: "side-by-side",
      name: "oneOf",
      message: "`oneOf` is not taken: the properties of its alternatives are shown side by side",
    },
  ]);
  const open = toBorderSchema({ type: "object", anyOf: [{ required: ["a"] }, { properties: { b: B } }] }, "openai-api");
  expect(open.schema).toMatchObject({ type: "object", properties: { b: {} } });
  expect(open.schema.required).toBeUndefined();
});

test("names that are not taken are said in words", () => {
  const full = {
    type: "object",
    properties: { "first name": A, ok: B },
    required: ["first name", "ok"],
    additionalProperties: false,
  };
  const { schema, notes } = toBorderSchema(full, "anthropic-api");
  expect(schema).toEqual({
    type: "object",
    properties: { ok: B },
    required: ["ok"],
    description: expect.stringContaining('"first name":{"type":"string"}'),
  });
  expect(notes[0]?.message).toContain('"first name"');
  expect(violationsOf(schema, { "first name": "x", ok: 1 }, "$")).toEqual([]);
  expect(toBorderSchema(full, "openai-api").notes).toEqual([]);
});

test("a schema that contains itself, or grows without end, comes to an end", () => {
  const tree = {
    type: "object",
    properties: { tree: { $ref: "#/$defs/node" } },
    $defs: { node: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } } } },
  };
  for (const profile of SCHEMA_PROFILES) {
    const { schema, notes } = toBorderSchema(tree, profile);
    expect(notes[0]?.message).toContain("contains itself");
    const value = { tree: { children: [{ children: [{ children: [{ children: [] }] }] }] } };
    expect(violationsOf(schema, value, "$")).toEqual([]);
    expect(toBorderSchema({ anyOf: [{ $ref: "#" }] }, profile).schema.type).toBe("object");
    const level = (n: number) => ({ allOf: [{ $ref: `#/$defs/l${n + 1}` }, { $ref: `#/$defs/l${n + 1}` }] });
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`l${n}`, n === 39 ? A : level(n)]));
    expect(
      JSON.stringify(toBorderSchema({ properties: { p: { $ref: "#/$defs/l0" } }, $defs }, profile)).length,
    ).toBeLessThan(1_000_000);
  }
});

test("strict mode is for schemas that it can say wholly", () => {
  const full = inProperty({ type: "array", items: { enum: ["x"] } });
  expect(toStrictSchema(full)).toEqual(full);
  for (const schema of [
    { type: "object" },
    { type: "object", properties: { a: A } },
    { type: "object", properties: { a: A }, required: ["a"] },
    inProperty({}),
    inProperty({ type: "string", minLength: 1 }),
    inProperty({ type: "object" }),
  ] as JsonObject[])
    expect(toStrictSchema(schema), JSON.stringify(schema)).toBeUndefined();
});

/** Deterministic: the same numbers in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof createRandom>;
const NAMES = ["a", "b", "x-c", "d e"];
const VALUES: Json[] = ["x", "xy", "", 0, 1, 2, 1.5, -1, true, false, null, [], ["x"], [1, "x"], {}, { a: 1 }];

function randomValue(random: Random, depth: number): Json {
  if (depth > 0 && random(2) === 0)
    return random(2) === 0
      ? Object.fromEntries(NAMES.filter(() => random(2) === 0).map((name) => [name, randomValue(random, depth - 1)]))
      : Array.from({ length: random(4) }, () => randomValue(random, depth - 1));
  return VALUES[random(VALUES.length)] ?? null;
}

function randomSchema(random: Random, depth: number): Json {
  if (depth === 0)
    return random(6) === 0
      ? random(2) === 0
      : { type: ["string", "integer", "object", "array"][random(4)] ?? "string" };
  const schema: JsonObject = {};
  const sub = () => randomSchema(random, depth - 1);
  const list = () => Array.from({ length: 1 + random(3) }, sub);
  const map = (names: string[]) => Object.fromEntries(names.filter(() => random(2) === 0).map((name) => [name, sub()]));
  const makers: Record<string, () => Json> = {
    type: () => ["object", "array", "string", ["number", "null"]][random(4)] ?? "object",
    enum: () => Array.from({ length: 1 + random(3) }, () => randomValue(random, 1)),
    const: () => randomValue(random, 1),
    properties: () => map(NAMES),
    required: () => NAMES.filter(() => random(3) === 0),
    additionalProperties: sub,
    patternProperties: () => map(["^x-", "^[ab]"]),
    propertyNames: () => ({ pattern: "^[abx]" }),
    minProperties: () => random(2),
    maxProperties: () => 1 + random(3),
    dependentRequired: () => ({ a: ["b"] }),
    dependentSchemas: () => map(NAMES),
    unevaluatedProperties: () => random(2) === 0,
    items: sub,
    prefixItems: list,
    unevaluatedItems: () => random(2) === 0,
    minItems: () => random(2),
    maxItems: () => 1 + random(3),
    uniqueItems: () => true,
    contains: sub,
    minContains: () => random(2),
    maxContains: () => 1 + random(2),
    minimum: () => random(2),
    maximum: () => 1 + random(2),
    exclusiveMinimum: () => (random(2) === 0 ? random(2) : true),
    exclusiveMaximum: () => 1 + random(2),
    multipleOf: () => 1,
    minLength: () => random(2),
    maxLength: () => 1 + random(2),
    pattern: () => "^x",
    format: () => "uuid",
    anyOf: list,
    oneOf: list,
    allOf: list,
    not: sub,
    if: sub,
    [THEN]: sub,
    else: sub,
    $ref: () => ["#/$defs/one", "#/$defs/two", "#"][random(3)] ?? "#",
  };
  const names = Object.keys(makers);
  for (let count = 1 + random(4); count > 0; count--) {
    const name = names[random(names.length)] ?? "type";
    schema[name] = makers[name]?.() ?? true;
  }
  return schema;
}

test.each(SCHEMA_PROFILES)("whatever fits a schema fits what is sent of it to %s", (profile: SchemaProfile) => {
  const random = createRandom(58);
  let fitted = 0;
  for (let round = 0; round < 300; round++) {
    const made = randomSchema(random, 2);
    const full: JsonObject = {
      ...(typeof made === "object" ? (made as JsonObject) : {}), // cast: not a list
      $defs: { one: randomSchema(random, 1), two: randomSchema(random, 1) },
    };
    delete full.$ref;
    const { schema } = toBorderSchema(full, profile);
    for (let tries = 0; tries < 12; tries++) {
      const value = Object.fromEntries(
        NAMES.filter(() => random(2) === 0).map((name) => [name, randomValue(random, 2)]),
      );
      if (!fits(full, value)) continue;
      fitted++;
      expect(fits(schema, value), JSON.stringify({ full, schema, value })).toBe(true);
    }
  }
  expect(fitted).toBeGreaterThan(250);
});

/** A schema that refers to itself without end fits nothing. */
function fits(schema: JsonObject, value: Json): boolean {
  try {
    return violationsOf(schema, value, "$").length === 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
