import { expect, it } from "vitest";
import { droppedCel, droppedText } from "./dragged-variable.ts";

it.each([
  ["", true, "$.trigger.name"],
  ["", false, "{{ $.trigger.name }}"],
  ["Hi", false, "Hi {{ $.trigger.name }}"],
  ["$.a.b", true, "{{ $.a.b }} {{ $.trigger.name }}"],
  ["Hi ", true, "Hi {{ $.trigger.name }}"],
])("dropped on %j (alone %s): %s", (before, bare, after) => {
  expect(droppedText(before, "$.trigger.name", bare)).toBe(after);
});

it.each([
  ["", "$.trigger.name", "trigger.name"],
  ["size(", "$.ask_output.items[0].text", "size(ctx.ask_output.items[0].text"],
  ["1 + ", "$.n", "1 + ctx.n"],
  ["1", "$config.KEY", null],
])("dropped on the CEL %j: %s is written %s", (before, path, after) => {
  expect(droppedCel(before, path)).toBe(after);
});
