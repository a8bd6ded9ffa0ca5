import { expect, it } from "vitest";
import { droppedText } from "./dragged-variable.ts";

it.each([
  ["", true, "$.trigger.name"],
  ["", false, "{{ $.trigger.name }}"],
  ["Hi", false, "Hi {{ $.trigger.name }}"],
  ["$.a.b", true, "{{ $.a.b }} {{ $.trigger.name }}"],
  ["Hi ", true, "Hi {{ $.trigger.name }}"],
])("dropped on %j (alone %s): %s", (before, bare, after) => {
  expect(droppedText(before, "$.trigger.name", bare)).toBe(after);
});
