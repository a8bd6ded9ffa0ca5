import type { JsonObject, Problem } from "@oven/contract";
import { expect, it } from "vitest";
import { ScriptedNodes } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "./validate-definition.ts";

const answer = (way: JsonObject) => () => ({ type: "object", properties: { object: { "x-type-from": way } } });
const nodes = new ScriptedNodes({
  "core.log": {},
  "agent.llm": { outputSchema: answer({ schema: "outputSchema", by: "model" }) },
  "agent.humanReview": { outputSchema: answer({ schema: "outputSchema" }) },
});

function warnings(schemas: { payloadSchema?: JsonObject; outputSchema?: JsonObject }, src = "agent.llm"): Problem[] {
  const { payloadSchema, outputSchema } = schemas;
  const { problems, definition } = validateDefinition(
    {
      initial: "a",
      states: {
        a: { invoke: { src, ...(outputSchema && { input: { outputSchema } }), onDone: "done" } },
        done: { type: "final" },
      },
      ...(payloadSchema && { payloadSchema }),
    },
    nodes,
  );
  expect(definition).toBeDefined();
  return problems;
}

const CHOICE = { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] };
const ODD = { type: "object", properties: { "full name": { type: "string" } }, patternProperties: { "^x-": true } };

it("what MCP clients do not see of a payload schema is a warning, and the definition can be saved", () => {
  expect(warnings({ payloadSchema: CHOICE })).toEqual([
    {
      path: "$.payloadSchema",
      rule: "schema-readers",
      severity: "warning",
      message: expect.stringContaining("At $: `anyOf` is not taken"),
      fix: expect.stringContaining("still checks"),
      note: { path: "$", what: "side-by-side", name: "anyOf", message: expect.any(String), readers: ["mcp"] },
    },
  ]);
  expect(warnings({ payloadSchema: ODD }).map(({ note }) => [note?.what, note?.name])).toEqual([
    ["in-words", "full name"],
    ["left-out", "patternProperties"],
  ]);
});

it("what no model sees of the schema of its answer is a warning at the step", () => {
  expect(warnings({ outputSchema: ODD })).toMatchObject([
    {
      path: "$.states.a.invoke.input.outputSchema",
      severity: "warning",
      note: { what: "left-out", name: "patternProperties", readers: ["openai-api", "anthropic-api", "gemini-api"] },
    },
  ]);
});

it("what some model sees is no warning, nor is what people are asked for", () => {
  expect(warnings({ payloadSchema: { type: "object", properties: { a: { type: "string", minLength: 1 } } } })).toEqual(
    [],
  );
  expect(warnings({ outputSchema: { type: "object", properties: { a: { type: "string", minLength: 1 } } } })).toEqual(
    [],
  );
  expect(warnings({ outputSchema: ODD }, "agent.humanReview")).toEqual([]);
});
