import type { Json, JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import type { CatalogEntry, NodeCatalog } from "../ports.ts";
import { validateDefinition } from "./validate-definition.ts";

const MODEL: CatalogEntry = {
  id: "test.model",
  version: 1,
  effect: "pure",
  input: z.looseObject({}) as CatalogEntry["input"],
  outputSchema: () => ({
    type: "object",
    properties: { text: { type: "string" }, object: { "x-type-from": { schema: "outputSchema" } } },
    required: ["text"],
    additionalProperties: false,
  }),
};
const CATALOG: NodeCatalog = { get: (src) => (src === MODEL.id ? MODEL : undefined), names: () => [MODEL.id] };
const CATEGORY = { type: "object", properties: { category: { type: "string" }, amount: { type: "number" } } };

const model = (input: JsonObject, onDone: Json, more: JsonObject = {}): JsonObject => ({
  invoke: { src: "test.model", input, onDone, ...more },
});

/** `classify`, then `ask` or not, then `use` with the given input. */
function warnings(use: JsonObject, guard: JsonObject = { type: "cel", params: { expression: "true" } }): string[][] {
  const definition = {
    initial: "classify",
    states: {
      classify: model({ outputSchema: CATEGORY }, [{ target: "ask", guard }, "use"]),
      ask: model({}, "use"),
      use: model(use, "end"),
      end: { type: "final" },
    },
  };
  const { problems } = validateDefinition(definition, CATALOG);
  return problems.map(({ rule, path, message, severity }) => [severity, rule, path, message]);
}

it("a field that the step's own schema does not have is a warning with the field that was meant", () => {
  expect(warnings({ prompt: "It is {{ $.classify_output.object.categorie }}" })).toEqual([
    [
      "warning",
      "unknown-field",
      "$.states.use.invoke.input.prompt",
      "$.classify_output.object.categorie: the output of classify has no categorie",
    ],
  ]);
  const typo = { type: "condition", params: { key: "output.object.categorie", operator: "==", value: "x" } };
  expect(warnings({}, { ...typo, params: { ...typo.params, key: "$.output.object.categorie" } })[0]?.[1]).toBe(
    "unknown-field",
  );
  expect(warnings({ prompt: "$.classify_output.txt | default(1)" })[0]?.[3]).toContain("has no txt");
  expect(warnings({ prompt: "$.classify_output.object.category", n: "$.classify_output.text" })).toEqual([]);
});

it("a result that is missing on one of the ways is a warning that names the way; a default answers it", () => {
  expect(warnings({ prompt: "{{ $.ask_output.text }}" })).toEqual([
    [
      "warning",
      "may-be-missing",
      "$.states.use.invoke.input.prompt",
      "$.ask_output.text: the result of ask is missing on the way classify → use",
    ],
  ]);
  expect(warnings({ prompt: "$.ask_output.text | default(null)" })).toEqual([]);
});

it("a result that no way leads over is a warning, an error that is handled elsewhere too", () => {
  expect(warnings({ prompt: "$.use_output.text" })[0]?.slice(1, 2)).toEqual(["never-there"]);
  expect(warnings({ prompt: "$.classify_error.message" })[0]?.slice(1, 2)).toEqual(["never-there"]);
});

it("a condition may ask about what is missing: it is false then", () => {
  const asks = { type: "condition", params: { key: "$.ask_output.text", operator: "==", value: "yes" } };
  expect(warnings({}, asks)).toEqual([]);
});
