import type { JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { followPath, readPath } from "./paths.ts";
import { findState } from "./states.ts";
import { OutputTypes, type TypeSource } from "./types.ts";

const CATEGORY: JsonObject = {
  type: "object",
  properties: { category: { enum: ["refund", "question"] }, amount: { type: "number" } },
  required: ["category", "amount"],
};
const OUTPUTS: Record<string, JsonObject> = {
  llm: {
    type: "object",
    properties: { text: { type: "string" }, object: { "x-type-from": { schema: "outputSchema" } } },
    required: ["text"],
  },
  review: {
    type: "object",
    properties: { data: { "x-type-from": [{ schema: "schema" }, { shape: "show" }] } },
    required: ["data"],
  },
  transform: { type: "object", "x-type-from": { shape: "mapping" } },
  tool: {
    type: "object",
    properties: {
      text: { type: "string" },
      structured: { "x-type-from": [{ called: "tool" }, { sample: "structured" }] },
    },
    required: ["text"],
  },
  http: { type: "object", properties: { status: { type: "integer" }, body: { "x-type-from": { sample: "body" } } } },
  call: { type: "object", properties: { output: { "x-type-from": { called: "workflow" } } }, required: ["output"] },
};
const SAMPLES: JsonObject = {
  ask: { status: 200, body: { order: { id: 7, tags: ["new"] } } },
  look: { text: "", structured: { found: true } },
};
const SOURCE: TypeSource = {
  outputOf: (src) => OUTPUTS[src],
  calledOutput: (_called, { workflow, tool }) =>
    workflow === "sums" ? { type: "number" } : tool === "mcp.shop.find" ? CATEGORY : undefined,
  sampleOf: (stateId) => SAMPLES[stateId],
};

const typeOf = (id: string, states: JsonObject, more: JsonObject = {}): JsonObject => {
  const document = { initial: id, states, ...more };
  const place = findState(document, id);
  if (place === undefined) throw new Error("no such state");
  return new OutputTypes(document, SOURCE).of(place);
};
const step = (src: string, input: JsonObject): JsonObject => ({ invoke: { src, input } });
const partOf = (schema: JsonObject, path: string): unknown => followPath(schema, readPath(path)?.keys ?? []).schema;

it("a part has the schema that its step gives, and is there for sure then", () => {
  const asked = typeOf("classify", { classify: step("llm", { outputSchema: CATEGORY }) });
  expect(asked).toMatchObject({ required: ["text", "object"], properties: { object: CATEGORY } });
  const open = typeOf("classify", { classify: step("llm", { prompt: "Sort it" }) });
  expect(open).toMatchObject({ required: ["text"], properties: { object: {} } });
  expect(JSON.stringify([asked, open])).not.toContain("x-type-from");
});

it("a part has the shape that its step's expressions compute, through other steps", () => {
  const states = {
    classify: step("llm", { outputSchema: CATEGORY }),
    ask: step("review", { show: "$.classify_output.object" }),
    keep: step("transform", {
      mapping: {
        sum: "$.ask_output.data.amount",
        text: "Total {{ $.trigger.n }}",
        n: "$.trigger.n",
        raw: { $literal: 1 },
      },
    }),
  };
  const payload = { payloadSchema: { type: "object", properties: { n: { type: "integer" } } } };
  expect(partOf(typeOf("ask", states), "$.data.category")).toEqual({ enum: ["refund", "question"] });
  expect(typeOf("keep", states, payload)).toMatchObject({
    properties: { sum: { type: "number" }, text: { type: "string" }, n: { type: "integer" }, raw: { type: "number" } },
    required: ["sum", "text", "n", "raw"],
  });
});

it("a schema that the step gives wins over the shape of what it shows", () => {
  const states = { ask: step("review", { show: { a: 1 }, schema: CATEGORY }) };
  expect(partOf(typeOf("ask", states), "$.data.amount")).toEqual({ type: "number" });
});

it("a called workflow's output is asked for", () => {
  expect(partOf(typeOf("call", { call: step("call", { workflow: "sums" }) }), "$.output")).toEqual({ type: "number" });
  expect(partOf(typeOf("call", { call: step("call", { workflow: "other" }) }), "$.output")).toEqual({});
});

it("a tool's structured answer has the schema that the tool declares, and is there for sure then", () => {
  const found = typeOf("call", { call: step("tool", { tool: "mcp.shop.find" }) });
  expect(found).toMatchObject({ required: ["text", "structured"], properties: { structured: CATEGORY } });
  const unknown = typeOf("call", { call: step("tool", { tool: "mcp.shop.other" }) });
  expect(unknown).toMatchObject({ required: ["text"], properties: { structured: {} } });
  // An answer that it once gave is an example, and promises nothing.
  const seen = typeOf("look", { look: step("tool", { tool: "mcp.shop.other" }) });
  expect(seen.required).toEqual(["text"]);
  expect(partOf(seen, "$.structured.found")).toEqual({ type: "boolean" });
});

it("a part has the shape of a sample of the step", () => {
  const seen = typeOf("ask", { ask: step("http", { url: "https://example.com" }) });
  expect(partOf(seen, "$.body.order.id")).toEqual({ type: "number" });
  expect(followPath(seen, ["body", "order", "id"]).always).toBe(false);
  expect(partOf(seen, "$.body")).not.toHaveProperty("required");
  expect(partOf(seen, "$.body.order.tags")).toEqual({ type: "array" });
  expect(partOf(typeOf("never", { never: step("http", {}) }), "$.body")).toEqual({});
});

it("steps that hand on each other's output in a circle end", () => {
  const states = {
    one: step("transform", { mapping: { a: "$.two_output.a" } }),
    two: step("transform", { mapping: { a: "$.one_output.a" } }),
  };
  expect(typeOf("one", states)).toMatchObject({ properties: { a: {} } });
});

it("a path that a schema does not have is told apart from one it says nothing about", () => {
  expect(followPath(CATEGORY, ["categorie"])).toEqual({
    always: false,
    unknown: { key: "categorie", known: ["category", "amount"], closed: false },
  });
  expect(followPath({}, ["anything"])).toEqual({ always: false });
  expect(followPath({ type: "array", items: CATEGORY }, [0, "amount"])).toEqual({
    always: false,
    schema: { type: "number" },
  });
});

it("takes paths apart as the engine does", () => {
  expect(readPath('$.a["b c"][0].d | default(1)')).toEqual({ keys: ["a", "b c", 0, "d"], fallback: "value" });
  expect(readPath("$.a | json")).toEqual({ keys: ["a"], fallback: null });
  expect([readPath("$config.KEY"), readPath("text"), readPath("$.a b")]).toEqual([null, null, null]);
});
