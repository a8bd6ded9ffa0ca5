import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { isMeant, toFields, toShape } from "./shape.ts";

const shapeOf = (schema: JsonObject) => toShape({ type: "object", properties: { it: schema }, required: ["it"] });
const kindOf = (schema: JsonObject) => {
  const shape = shapeOf(schema);
  return shape.kind === "object" ? shape.fields[0]?.shape : undefined;
};

describe("toShape", () => {
  it.each<[string, JsonObject, object]>([
    ["a text", { type: "string", maxLength: 3 }, { kind: "text", long: false, limits: { maxLength: 3 } }],
    ["a number", { type: "integer" }, { kind: "number", integer: true }],
    ["a choice", { type: "string", enum: ["a", "b"] }, { kind: "choice", choices: ["a", "b"] }],
    [
      "a list of objects",
      { type: "array", items: { type: "object", properties: { a: { type: "boolean" } } } },
      { kind: "list", item: { kind: "object", fields: [{ name: "a", shape: { kind: "boolean" } }] } },
    ],
    [
      "a record",
      { type: "object", additionalProperties: { type: "number" } },
      { kind: "record", value: { kind: "number" } },
    ],
    ["a record of anything", { type: "object", additionalProperties: {} }, { kind: "record", value: { kind: "free" } }],
    [
      "a duration",
      {
        anyOf: [
          { type: "integer", minimum: 0 },
          { type: "string", pattern: "^P" },
        ],
      },
      { kind: "scalar", options: [{ type: "integer" }, { type: "string" }] },
    ],
    [
      "a list of types",
      { type: ["string", "number", "null"] },
      { kind: "scalar", options: [{ type: "string" }, { type: "number" }, { type: "null" }] },
    ],
    [
      "alternatives that are all fixed",
      { anyOf: [{ const: "a" }, { enum: ["b", "c"] }, { type: "null" }] },
      { kind: "choice", choices: ["a", "b", "c", null] },
    ],
    ["a schema", { type: "object", description: "JSON Schema of the answer" }, { kind: "schema" }],
    ["an object of any keys", { type: "object" }, { kind: "free", object: true }],
    ["anything", {}, { kind: "free", object: false }],
  ])("%s", (_, schema, shape) => {
    expect(kindOf(schema)).toMatchObject(shape);
  });

  it("calls alternatives by the sign that tells them apart", () => {
    const shape = kindOf({
      anyOf: [
        { type: "string", const: "error" },
        { oneOf: [{ type: "object", properties: { type: { const: "isStepCount" }, count: { type: "integer" } } }] },
        { type: "object", properties: { escalateTo: { type: "array" }, dueIn: { type: "string" } } },
        { type: "array", items: { type: "string" } },
      ],
    });
    expect(shape?.kind === "variants" ? shape.variants.map(({ title }) => title) : null).toEqual([
      "Error",
      "Is step count",
      "Escalate to, due in",
      "List",
    ]);
  });

  it("keeps a union with a title as one alternative, told apart by what is typed", () => {
    const shape = kindOf({
      anyOf: [
        { title: "Value", anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
        { title: "Secret", type: "object", properties: { $secret: { type: "string", title: "Secret" } } },
      ],
    });
    expect(shape).toMatchObject({
      kind: "variants",
      variants: [
        {
          title: "Value",
          shape: { kind: "scalar", options: [{ type: "string" }, { type: "number" }, { type: "null" }] },
        },
        { title: "Secret", shape: { kind: "object", fields: [{ name: "$secret", label: "Secret" }] } },
      ],
    });
  });

  it("follows references, and stops where a schema holds itself", () => {
    const schema: JsonObject = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/tree" } },
      $defs: { tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" } } } },
    };
    expect(toFields(schema)[0]?.shape).toMatchObject({
      kind: "object",
      fields: [{ name: "left", shape: { kind: "object" } }],
    });
  });

  it("keeps what is said about a property", () => {
    const [field] = toFields({
      type: "object",
      properties: { dueIn: { type: "string", default: "P1D", description: "When" } },
    });
    expect(field).toMatchObject({ label: "Due in", description: "When", required: false, default: "P1D" });
  });
});

describe("isMeant", () => {
  const fields = toFields({
    type: "object",
    properties: {
      method: { enum: ["GET", "POST"], default: "GET" },
      body: {},
    },
    "x-shown-when": { body: { method: ["POST"] } },
  });
  const body = (value: JsonObject): boolean => fields.filter((field) => isMeant(field, value, fields)).length === 2;

  it("goes by the other field, or by its default", () => {
    expect(body({})).toBe(false);
    expect(body({ method: "GET" })).toBe(false);
    expect(body({ method: "POST" })).toBe(true);
  });

  it("hides nothing that is set, or whose reason a run computes", () => {
    expect(body({ method: "GET", body: 1 })).toBe(true);
    expect(body({ method: "$.trigger.method" })).toBe(true);
    expect(body({ method: { $cel: "'POST'" } })).toBe(true);
  });
});
