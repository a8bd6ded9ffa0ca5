import { expect, it } from "vitest";
import { pastText } from "./past-text.ts";

const values = {
  input: { name: "Ann", items: [{ id: 7 }] },
  context: { draft_output: { text: "Hello", parts: [1, 2] }, "odd key": true },
};

it.each([
  ["$.trigger.name", "Ann"],
  ["$.trigger.items[0].id", "7"],
  ["$.draft_output.parts", "[1,2]"],
  ['$["odd key"]', "true"],
  ["Hi {{ $.trigger.name }}, {{ $.draft_output.text }}!", "Hi Ann, Hello!"],
  ["plain", null],
  ["$.gone", null],
  ["Hi {{ $.trigger.gone }}", null],
  ["$.trigger.name | upper", null],
  ["{{ $.trigger.name | default('x') }}", null],
])("%s came to %s", (text, said) => {
  expect(pastText(text, values)).toBe(said);
});

it("is cut where it would cover the form", () => {
  const said = pastText("$.long", { input: {}, context: { long: "x".repeat(500) } });
  expect(said).toHaveLength(120);
});
