import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { toShortSchema } from "./short-schema.ts";

describe("a short schema", () => {
  it("says several plain types as a list, and takes the same values", () => {
    const id = { type: "integer", exclusiveMinimum: 0 };
    const slug = { type: "string", minLength: 1, maxLength: 63 };
    expect(toShortSchema({ properties: { id: { anyOf: [id, slug], description: "Which" } } })).toEqual({
      properties: {
        id: { type: ["integer", "string"], exclusiveMinimum: 0, minLength: 1, maxLength: 63, description: "Which" },
      },
    });
  });

  it.each<[string, Json]>([
    ["a choice of texts", [{ type: "string", enum: ["a"] }, { type: "null" }]],
    ["two of one type", [{ type: "string", minLength: 2 }, { type: "string" }]],
    [
      "bounds that are two types' own",
      [
        { type: "integer", minimum: 1 },
        { type: "number", minimum: 0 },
      ],
    ],
    ["an object", [{ type: "object" }, { type: "null" }]],
    ["a word about one of them", [{ type: "string", description: "A name" }, { type: "null" }]],
  ])("leaves %s as it is", (_what, anyOf) => {
    expect(toShortSchema({ anyOf })).toEqual({ anyOf });
  });
});
