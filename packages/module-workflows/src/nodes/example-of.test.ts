import type { JsonObject } from "@oven/contract";
import { violationsOf } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { coreNodes } from "./core-nodes.ts";
import { exampleOf } from "./example-of.ts";
import { toJsonSchema } from "./node-catalog.ts";

describe("an example of a schema", () => {
  it.each<[string, z.ZodType, unknown]>([
    [
      "an object",
      z.object({ name: z.string(), age: z.int().min(18), nick: z.string().optional() }),
      { name: "example", age: 18 },
    ],
    [
      "a constant, a choice, a default",
      z.object({ a: z.literal("x"), b: z.enum(["one", "two"]), c: z.number().default(7) }),
      { a: "x", b: "one", c: 7 },
    ],
    ["a list with a least length", z.array(z.string().min(9)).min(2), ["example..", "example.."]],
    ["a union", z.union([z.null(), z.string()]), null],
    ["what may be anything", z.unknown(), null],
  ])("of %s fits it", (_what, schema, expected) => {
    const json = toJsonSchema(schema, "output");
    expect(exampleOf(json)).toEqual(expected);
    expect(violationsOf(json, exampleOf(json), "$")).toEqual([]);
  });

  it("comes to an end where a schema refers to itself", () => {
    const schema: JsonObject = {
      $ref: "#/$defs/tree",
      $defs: { tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" } }, required: ["left"] } },
    };
    expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(500);
  });

  it("fits the output of every core node", () => {
    for (const { id, output } of coreNodes) {
      const schema = toJsonSchema(output, "output");
      expect(violationsOf(schema, exampleOf(schema), "$"), id).toEqual([]);
    }
  });
});
