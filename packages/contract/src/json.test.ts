import { describe, expect, it } from "vitest";
import { z } from "zod";
import { JsonObjectSchema, JsonSchema } from "./json.ts";

describe("JSON handed on", () => {
  it.each([
    ["keys that objects have already", '{"__proto__":{"a":1},"constructor":2,"toString":null}'],
    ["the order of keys", '{"b":1,"a":2,"10":3}'],
    ["NUL and lone surrogates", '{"text":"a\\u0000b\\ud800"}'],
    ["edges of numbers", "[0,1.7976931348623157e308,5e-324,9007199254740993]"],
    ["what is empty", '[{},[],"",null,false]'],
  ])("keeps %s", (_name, text) => {
    const value: unknown = JSON.parse(text);
    expect(JSON.stringify(JsonSchema.parse(value))).toBe(JSON.stringify(value));
  });

  it("takes nesting deeper than the stack", () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) value = depth % 2 === 0 ? [value] : { value };
    expect(JsonSchema.safeParse(value).success).toBe(true);
  });

  it("does not give an object another prototype by way of its data", () => {
    const parsed = JsonObjectSchema.parse(JSON.parse('{"__proto__":{"admin":true}}'));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Reflect.get(parsed, "admin")).toBeUndefined();
    expect(Object.keys(parsed)).toEqual(["__proto__"]);
  });

  it.each([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["undefined", undefined],
    ["a function", () => 1],
    ["a bigint", 1n],
    ["a symbol", Symbol("s")],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["bytes", new Uint8Array(1)],
    ["an instance", new (class Thing {})()],
  ])("refuses %s, at the top and inside", (_name, value) => {
    expect(JsonSchema.safeParse(value).success).toBe(false);
    expect(JsonSchema.safeParse({ a: [value] }).success).toBe(false);
  });

  it.each([null, [], "x", 1, true])("does not take %j for an object", (value) => {
    expect(JsonObjectSchema.safeParse(value).success).toBe(false);
  });

  it("is any JSON, and an object, in JSON Schema", () => {
    expect(z.toJSONSchema(z.strictObject({ any: JsonSchema, object: JsonObjectSchema }))).toMatchObject({
      properties: { any: {}, object: { type: "object" } },
      required: ["any", "object"],
    });
  });
});
