import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { checkValue, emptyValue, variantOf } from "./check-value.ts";
import { toShape } from "./shape.ts";

describe("checkValue", () => {
  it.each<[JsonObject, Json, string | null]>([
    [{ type: "string", minLength: 1 }, "", "Needed"],
    [{ type: "string", maxLength: 2 }, "abc", "At most 2 characters"],
    [{ type: "string", pattern: "^[a-z]+$" }, "A", "Not written as it must be"],
    [{ type: "string", pattern: "^[a-z]+$" }, "{{ $.trigger.name }}", null],
    [{ type: "string", pattern: "[" }, "anything", null],
    [{ type: "number", maximum: 2 }, 2.1, "At most 2"],
    [{ type: "number", maximum: 2 }, "$.trigger.heat", null],
    [{ type: "number" }, { $cel: "1 + 1" }, null],
    [{ type: "number" }, "warm", "Not a number"],
    [{ type: "integer" }, 1.5, "Not a whole number"],
    [{ type: "integer", exclusiveMinimum: 0 }, 0, "More than 0"],
    [{ enum: ["a", "b"] }, "c", "Not one of a, b"],
    [{ type: "array", minItems: 1, items: {} }, [], "At least 1"],
    [
      {
        anyOf: [
          { type: "integer", minimum: 0 },
          { type: "string", pattern: "^P\\d" },
        ],
      },
      "P1D",
      null,
    ],
    [
      {
        anyOf: [
          { type: "integer", minimum: 0 },
          { type: "string", pattern: "^P\\d" },
        ],
      },
      "tomorrow",
      "Not written as it must be",
    ],
    [
      {
        anyOf: [
          { type: "integer", minimum: 0 },
          { type: "string", pattern: "^P\\d" },
        ],
      },
      -1,
      "At least 0",
    ],
    [{ type: "object" }, "text", "Not an object"],
  ])("%j with %j: %s", (schema, value, message) => {
    expect(checkValue(toShape(schema), value)).toBe(message);
  });

  it("asks for what is needed only where it is", () => {
    expect(checkValue(toShape({ type: "string" }), undefined, true)).toBe("Needed");
    expect(checkValue(toShape({ type: "string" }), undefined)).toBeNull();
  });
});

describe("alternatives", () => {
  const shape = toShape({
    anyOf: [
      { type: "string", const: "error" },
      {
        type: "object",
        properties: { action: { enum: ["approve", "reject"] } },
        required: ["action"],
        additionalProperties: false,
      },
      {
        type: "object",
        properties: { escalateTo: { type: "array", items: { type: "string" } } },
        required: ["escalateTo"],
        additionalProperties: false,
      },
      {
        type: "object",
        properties: { type: { const: "cel" }, expression: { type: "string", minLength: 1 } },
        required: ["type", "expression"],
        additionalProperties: false,
      },
    ],
  });
  if (shape.kind !== "variants") throw new Error("no alternatives");

  it.each<[Json | undefined, number | null]>([
    ["error", 0],
    [{ action: "approve" }, 1],
    [{ escalateTo: ["role:owner"] }, 2],
    [{ type: "cel" }, 3],
    [undefined, null],
    [3, null],
  ])("%j is alternative %s", (value, index) => {
    expect(variantOf(shape, value)).toBe(index);
  });

  it("are known again from what each begins with", () => {
    expect(shape.variants.map((variant) => variantOf(shape, emptyValue(variant.shape)))).toEqual([0, 1, 2, 3]);
  });
});
