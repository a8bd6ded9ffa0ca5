import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { toType } from "./schema-type.ts";

describe("the type of what a JSON Schema accepts", () => {
  it.each<[string, Json, string]>([
    ["anything", {}, "unknown"],
    ["nothing", false, "never"],
    ["whole numbers", { type: "integer", minimum: 1 }, "number"],
    ["one of several kinds", { type: ["string", "null"] }, "string | null"],
    ["one of several values", { enum: ["a", 1, null] }, '"a" | 1 | null'],
    ["one value", { const: { a: [1] } }, '{ "a": [1] }'],
    ["a list", { type: "array", items: { type: "string" } }, "string[]"],
    ["a list of either", { items: { anyOf: [{ type: "string" }, { type: "number" }] } }, "(string | number)[]"],
    ["a list of texts with an operator in them", { type: "array", items: { const: "a | b" } }, '"a | b"[]'],
    [
      "a list with first items",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      "[string, ...number[]]",
    ],
    ["a list of fixed length", { type: "array", prefixItems: [{ type: "string" }], items: false }, "[string]"],
    ["any object", { type: "object" }, "Record<string, unknown>"],
    ["an empty object", { type: "object", additionalProperties: false }, "Record<string, never>"],
    ["objects as dictionaries", { type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    ["both of two", { allOf: [{ $ref: "#/a" }, { $ref: "#/b" }] }, "A & B"],
    ["a kind and either of two", { type: "string", anyOf: [{ const: "a" }, { const: "b" }] }, 'string & ("a" | "b")'],
    ["the same twice", { anyOf: [{ type: "number" }, { type: "integer" }] }, "number"],
  ])("%s", (_, schema, type) => {
    expect(toType(schema, { ofReference: (reference) => reference.slice(2).toUpperCase() })).toBe(type);
  });

  it("names fields, which of them are needed, and what is known of them", () => {
    const schema = {
      type: "object",
      required: ["id"],
      additionalProperties: false,
      properties: {
        id: { type: "integer", description: "Of the order" },
        "due-at": { type: "string", description: "In ISO 8601.\nEnds */ no comment." },
        lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
      },
    };
    expect(toType(schema)).toBe(
      [
        "{",
        "  /** Of the order */",
        "  id: number;",
        "  /**",
        "   * In ISO 8601.",
        "   * Ends *\\/ no comment.",
        "   */",
        '  "due-at"?: string;',
        "  lines?: {",
        "    sku?: string;",
        "  }[];",
        "}",
      ].join("\n"),
    );
  });
});
