import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { toVariableType, VARIABLE_TYPES, type VariableType, variableTypeOf } from "./variable-types.ts";

const values: [Json, VariableType][] = [
  ["", "text"],
  [0, "number"],
  [false, "boolean"],
  [[], "list"],
  [{}, "object"],
  [null, "nothing"],
];

describe("a workflow's variable", () => {
  it.each(values)(
    "that begins with %j is of the type %s, and stays as it is when that type is chosen",
    (value, type) => {
      expect(variableTypeOf(value)).toBe(type);
      expect(toVariableType(value, type)).toEqual(value);
    },
  );

  it.each(VARIABLE_TYPES)("that is made a $value is one, whatever it was", ({ value: type }) => {
    for (const [value] of values) expect(variableTypeOf(toVariableType(value, type))).toBe(type);
  });

  it.each<[Json, VariableType, Json]>([
    ["12.5", "number", 12.5],
    ["twelve", "number", 0],
    [12.5, "text", "12.5"],
    [{ a: 1 }, "text", '{"a":1}'],
    ["true", "boolean", true],
    ["a", "list", ["a"]],
    ["", "list", []],
    [[], "text", ""],
  ])("keeps what it says where the type can say it: %j as %s", (value, type, result) => {
    expect(toVariableType(value, type)).toEqual(result);
  });
});
