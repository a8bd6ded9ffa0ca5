import type { Json, JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { ScriptedNodes } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "./validate-definition.ts";

const catalog = new ScriptedNodes({
  model: {
    outputSchema: () => ({ type: "object", properties: { text: { type: "string" } }, additionalProperties: false }),
  },
  open: {},
});

/** The rules that are broken where a step reads `value`. */
function rulesOf(value: Json, more: JsonObject = {}, src = "model"): string[] {
  const definition = {
    initial: "first",
    payloadSchema: { type: "object", properties: { order: { type: "string" } } },
    context: { limit: 3 },
    ...more,
    states: {
      first: { invoke: { src, input: {}, onDone: "use" } },
      use: { invoke: { src: "model", input: { prompt: value }, onDone: "end" } },
      end: { type: "final" },
    },
  };
  return validateDefinition(definition, catalog).problems.map(
    ({ rule, severity, path }) => `${severity} ${rule} ${path}`,
  );
}
const WARNING = ["warning unknown-path $.states.use.invoke.input.prompt"];

it("a name that nothing writes is a warning", () => {
  for (const path of ["$.input.order", "$.steps.first.text", "{{ $.first_result.text }}", "$.vars"])
    expect(rulesOf(path), path).toEqual(WARNING);
});

it("what a state, the input, a variable, an output or the engine writes is none", () => {
  for (const path of [
    "$.first",
    "$.order",
    "$.limit",
    "$.text",
    "$.messages",
    "$.execution.id",
    "$.input.a | default(1)",
  ])
    expect(rulesOf(path), path).toEqual([]);
});

it("nothing is said where keys may come that the definition does not name", () => {
  expect(
    rulesOf("$.anything", { payloadSchema: { type: "object", properties: {}, additionalProperties: true } }),
  ).toEqual([]);
  expect(rulesOf("$.anything", { payloadSchema: { type: "object" } })).toEqual([]);
  expect(rulesOf("$.anything", {}, "open")).toEqual([]);
});
