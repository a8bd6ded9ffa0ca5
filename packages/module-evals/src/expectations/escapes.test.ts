import { isOvenError } from "@oven/contract";
import { type Expectation, ExpectationSchema } from "@oven/contract/eval";
import { sweepEscapes } from "@oven/engine/testing";
import { expect, it } from "vitest";
import { ZodError } from "zod";
import { checkExpectation, requireReadable } from "./check-expectation.ts";
import type { SeenRun } from "./seen-run.ts";

const RUN: SeenRun = {
  output: { text: "plain", list: [{ x: 1 }] },
  context: { variable: 1 },
  trigger: { text: "plain" },
  toolCalls: [],
  execution: {
    id: 1,
    status: "completed",
    outcome: null,
    error: null,
    steps: 1,
    tokens: 0,
    costMicros: 0,
    durationMs: 1,
  },
  waiting: [],
};

const FIELDS: Record<string, (text: string) => object> = {
  "an expression": (text) => ({ type: "cel", expression: text }),
  "a path": (text) => ({ type: "jsonPath", path: text, exists: true }),
  "the path of a value": (text) => ({ type: "exact", path: text, value: text }),
  "a pattern": (text) => ({ type: "matches", path: "$.text", pattern: text }),
  "a schema's pattern": (text) => ({ type: "schema", path: "$.text", schema: { type: "string", pattern: text } }),
  "a word": (text) => ({ type: "contains", path: "$.text", text: [text] }),
};

it.each(Object.entries(FIELDS))("texts that reach for the machine reach nothing from %s", async (name, field) => {
  const compute = async (text: string) => {
    const expectation: Expectation = ExpectationSchema.parse(field(text));
    requireReadable([expectation]);
    const { passed, seen } = await checkExpectation(expectation, RUN, () => Promise.reject(new Error("no judge")));
    return { passed, seen };
  };
  const { reached, refused, ran } = await sweepEscapes(compute, { calculates: name === "an expression" });
  expect(reached).toEqual([]);
  expect(refused.filter(({ error }) => !isOvenError(error) && !(error instanceof ZodError))).toEqual([]);
  expect(ran).toBeGreaterThan(0);
});
