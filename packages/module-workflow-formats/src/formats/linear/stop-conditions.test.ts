import type { Json } from "@oven/contract";
import type { StopOperator } from "@oven/contract/formats/linear.ts";
import { expect, it } from "vitest";
import { judgeCondition } from "./stop-conditions.ts";

const judge = (operator: StopOperator, data: Json, target: Json, path = "$") =>
  judgeCondition(
    { datacontainer_definition_uuid: "u", extraction_json_path: path, operator, target_value: target },
    data,
  );

it.each<[string, StopOperator, Json, Json, boolean]>([
  ["a number is not its text", "equals", 1, "1", false],
  ["equal by type and value", "equals", { a: [1] }, { a: [1] }, true],
  ["another type", "not_equals", 1, "1", true],
  ["text in text", "contains", "newsletter", "news", true],
  ["an item of a list", "contains", [1, { a: 2 }], { a: 2 }, true],
  ["a key of an object", "contains", { kind: 1 }, "kind", true],
  ["no key", "contains", { kind: 1 }, "toString", false],
  ["a larger number", "greater_than", 5, 3, true],
  ["a smaller number", "less_than", 5, 3, false],
])("compares %s [000-231] [000-232]", (_name, operator, data, target, met) => {
  expect(judge(operator, data, target)).toMatchObject({ met, note: null });
});

it.each<[string, StopOperator, Json, Json, string, string]>([
  ["text as a number", "greater_than", "abc", 3, "$", "compares numbers"],
  ["a number with text", "less_than", 1, "3", "$", "the target is a string"],
  ["a number for what contains", "contains", 5, 5, "$", "looks into text"],
  ["a path that leads nowhere", "equals", { a: 1 }, 1, "$.b[0]", "nothing is at $.b[0]"],
  ["a path that leads nowhere, unequal", "not_equals", { a: 1 }, 1, "$.b", "nothing is at"],
])("is not met and says why: %s [000-233] [000-234]", (_name, operator, data, target, path, note) => {
  expect(judge(operator, data, target, path)).toMatchObject({ met: false, note: expect.stringContaining(note) });
});
