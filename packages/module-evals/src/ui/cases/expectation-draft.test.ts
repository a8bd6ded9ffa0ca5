import { type Expectation, ExpectationSchema } from "@oven/contract/eval";
import { expect, it } from "vitest";
import { NEW_EXPECTATION, toExpectation, toExpectationDraft } from "./expectation-draft.ts";
import { toExpectationSentence } from "./expectation-words.ts";

const given: [raw: object, sentence: string][] = [
  [{ type: "exact", path: "$.queue", value: "urgent" }, "The output at $.queue is exactly urgent."],
  [{ type: "exact", value: "12" }, "The output is exactly 12."],
  [{ type: "exact", value: { ok: true, n: [1, 2] } }, 'The output is exactly {"ok":true,"n":[1,2]}.'],
  [{ type: "contains", text: "late" }, "The output contains “late”."],
  [{ type: "contains", text: ["a", "b", "c"], mode: "any" }, "The output contains “a”, “b” or “c”."],
  [{ type: "notContains", text: ["a", "b"], mode: "all" }, "The output does not contain “a” and “b”."],
  [{ type: "matches", pattern: "^ok" }, "The output matches ^ok."],
  [{ type: "jsonPath", path: "$.id" }, "There is something at $.id."],
  [{ type: "jsonPath", path: "$.id", exists: false }, "There is nothing at $.id."],
  [{ type: "schema", schema: { type: "string" } }, 'The output fits the schema {"type":"string"}.'],
  [{ type: "cel", expression: "output.n > 3" }, "This is true: output.n > 3"],
  [{ type: "judge", rubric: "Is kind" }, "The output gets at least 0.7 of 1 from the model fast: Is kind"],
  [{ type: "toolCalled", tool: "orders.get" }, "The tool orders.get is called, so many times: 1+."],
  [
    { type: "toolCalled", tool: "orders.get", arguments: { id: 1 }, atLeast: 2, atMost: 3 },
    'The tool orders.get is called with {"id":1}, so many times: 2–3.',
  ],
  [{ type: "toolNotCalled", tool: "orders.refund" }, "The tool orders.refund is not called."],
  [{ type: "toolOrder", tools: ["a", "b"] }, "These tools are called in this order: a, b."],
  [{ type: "status", status: "failed", error: "TIMEOUT" }, "The run ends like this: failed · TIMEOUT."],
  [{ type: "paused", node: "ask" }, "The run waits for a person at ask."],
  [{ type: "paused" }, "The run waits for a person."],
  [{ type: "atMost", measure: "costMicros", value: 20_000 }, "The run costs at most $0.020."],
  [{ type: "atMost", measure: "durationMs", value: 1_500 }, "The run takes at most 1.5 s."],
];
const EXPECTATIONS = given.map(([raw, sentence]) => [ExpectationSchema.parse(raw), sentence] as const);

it("has every type", () => {
  const types = new Set(EXPECTATIONS.map(([{ type }]) => type));
  expect([...types].sort()).toEqual(ExpectationSchema.options.map(({ shape }) => shape.type.value).sort());
});

it.each(EXPECTATIONS)(
  "%o is the same after its form, and reads as a sentence",
  (expectation: Expectation, sentence) => {
    expect(toExpectation(toExpectationDraft(expectation))).toEqual(expectation);
    expect(toExpectationSentence(expectation)).toBe(sentence);
  },
);

it("is none while something is missing or wrong", () => {
  expect(toExpectation(NEW_EXPECTATION)).toBeNull();
  expect(toExpectation({ ...NEW_EXPECTATION, texts: ["x"], path: "queue" })).toBeNull();
  expect(toExpectation({ ...NEW_EXPECTATION, type: "judge", rubric: "Kind", threshold: "2" })).toBeNull();
  expect(toExpectation({ ...NEW_EXPECTATION, type: "schema", schema: "{" })).toBeNull();
  expect(toExpectation({ ...NEW_EXPECTATION, type: "toolCalled", tool: "t", args: "[1]" })).toBeNull();
  expect(toExpectation({ ...NEW_EXPECTATION, type: "atMost", limit: "" })).toBeNull();
});
