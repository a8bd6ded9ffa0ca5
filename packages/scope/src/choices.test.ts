import type { JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { choicesAt } from "./choices.ts";
import { OutputTypes } from "./types.ts";

const LLM: JsonObject = {
  type: "object",
  properties: { text: { type: "string" }, object: { "x-type-from": { schema: "outputSchema" } } },
};
const outputSchema: JsonObject = {
  type: "object",
  properties: {
    category: { enum: ["refund", "question"] },
    urgent: { type: "boolean" },
    size: { oneOf: [{ const: "s" }, { enum: ["m", "l"] }] },
    open: { anyOf: [{ const: "s" }, { type: "string" }] },
    note: { type: "string" },
  },
};
const document: JsonObject = {
  initial: "classify",
  payloadSchema: { type: "object", properties: { channel: { enum: ["mail", "chat"] } } },
  states: {
    classify: { invoke: { src: "llm", input: { outputSchema }, onDone: "route" } },
    route: { type: "choice", always: [{ target: "classify" }] },
    other: {},
  },
};
const types = new OutputTypes(document, { outputOf: (src) => (src === "llm" ? LLM : undefined) });
const at = (path: string, stateId = "route") => choicesAt(path, { document, stateId, types });

it("offers what a model was asked for, and what the payload allows", () => {
  expect(at("$.classify_output.object.category")).toEqual(["refund", "question"]);
  expect(at("$.classify_output.object.urgent")).toEqual([true, false]);
  expect(at("$.classify_output.object.size")).toEqual(["s", "m", "l"]);
  expect(at("$.trigger.channel")).toEqual(["mail", "chat"]);
});

it("offers nothing where another value is possible, or nothing is known", () => {
  for (const path of ["$.classify_output.object.note", "$.classify_output.object.open", "$.trigger.nope", "text"])
    expect(at(path)).toEqual([]);
  // No way leads there.
  expect(at("$.classify_output.object.category", "other")).toEqual([]);
});

it("knows what a state has just answered, where its own conditions stand", () => {
  const place = { document, stateId: "classify", types, after: "done" as const };
  expect(choicesAt("$.output.object.category", place)).toEqual(["refund", "question"]);
});
