import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import { ESCAPE_TEXTS } from "../testing/escapes/escape-texts.ts";
import { sweepEscapes } from "../testing/escapes/sweep-escapes.ts";
import { ScriptedNodes } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "../validate/validate-definition.ts";

const echo = { run: ({ input }: { input: unknown }) => ({ type: "done" as const, output: input as Json }) };
const end = { end: { type: "final", output: "$.a_output" } };

/** A graph of one node, with something more. */
function graph(state: object, more: object = {}) {
  return {
    initial: "a",
    context: { variable: 1, ...("context" in more ? (more.context as object) : {}) },
    states: { a: { invoke: { src: "test.echo", input: { n: 1 }, onDone: "end", onError: "end", ...state } }, ...end },
  };
}
const guarded = (guard: object) => graph({ onDone: [{ target: "end", guard }, { target: "end" }] });
const acting = (action: object) => graph({ onDone: { target: "end", actions: [action] } });
const looping = (loop: object) => ({
  initial: "a",
  states: {
    a: {
      loop: {
        bodyInitial: "b",
        bodyStates: { b: { invoke: { src: "test.echo", input: {}, onDone: "c" } }, c: { type: "final", output: 1 } },
        maxIterations: 3,
        onDone: "end",
        onError: "end",
        ...loop,
      },
    },
    ...end,
  },
});

/** Every field of a definition that is computed, with a text in it. */
const FIELDS: Record<string, (text: string) => object> = {
  "an input": (text) => graph({ input: { x: text } }),
  "a nested input": (text) => graph({ input: { x: [{ y: text }] } }),
  "an input's key": (text) => graph({ input: { [text]: "$.trigger.text" } }),
  "an input in CEL": (text) => graph({ input: { x: { $cel: text } } }),
  "a literal": (text) => graph({ input: { x: { $literal: text } } }),
  "a guard's key": (text) => guarded({ type: "condition", params: { key: text, operator: "exists" } }),
  "a guard's value": (text) =>
    guarded({ type: "condition", params: { key: "$.trigger.text", operator: "==", value: text } }),
  "a guard's pattern": (text) =>
    guarded({ type: "condition", params: { key: "$.trigger.text", operator: "matches", value: text } }),
  "a guard in CEL": (text) => guarded({ type: "cel", params: { expression: text } }),
  "an assignment's path": (text) => acting({ type: "assign", params: { path: text, value: 1 } }),
  "an assignment's value": (text) => acting({ type: "assign", params: { path: "$.variable", value: text } }),
  "an addition": (text) => acting({ type: "assign", params: { path: "$.variable", add: text } }),
  "an append": (text) => acting({ type: "assign", params: { path: "$.list", append: text } }),
  "an event's name": (text) => acting({ type: "emit", params: { event: text, payload: {} } }),
  "an event's payload": (text) => acting({ type: "emit", params: { event: "a.b", payload: text } }),
  "a log line": (text) => acting({ type: "log", params: { message: text, data: text } }),
  "a run's output": (text) => ({ initial: "end", states: { end: { type: "final", output: text } } }),
  "a variable": (text) => graph({}, { context: { [text]: text } }),
  "a loop's collection": (text) => looping({ type: "forEach", collection: text }),
  "a loop's condition": (text) => looping({ type: "while", condition: { type: "cel", params: { expression: text } } }),
  "an event that is awaited": (text) => ({ initial: "a", states: { a: { on: { [text]: "end" } }, ...end } }),
  "a timer": (text) => ({ initial: "a", states: { a: { after: { [text]: "end" } }, ...end } }),
};

const INPUT = { text: "plain", list: [{ x: 1 }] };

describe("texts that reach for the machine", () => {
  it("are more than 300", () => {
    expect(ESCAPE_TEXTS.length).toBeGreaterThan(300);
  });

  it.each(Object.entries(FIELDS))(
    "reach nothing from %s: refused with its place, or plain text",
    async (name, field) => {
      const calculates = name.includes("CEL") || name.includes("condition");
      const compute = async (text: string) => {
        const nodes = new ScriptedNodes({ "test.echo": echo });
        const { definition, problems } = validateDefinition(field(text), nodes);
        if (definition === undefined) {
          expect(
            problems.filter(({ path, message, fix }) => path === "" || message === "" || fix === ""),
            text,
          ).toEqual([]);
          throw new Error(problems.map(({ message }) => message).join("; "));
        }
        const harness = new EngineHarness(field(text), { "test.echo": echo });
        const id = await harness.execute({ ...INPUT, given: text });
        const { input, ...run } = JSON.parse(JSON.stringify(harness.store.run(id)));
        expect(input.given, text).toBe(text);
        return run;
      };
      const { ran, reached } = await sweepEscapes(compute, { calculates });
      expect(reached).toEqual([]);
      if (name === "a literal") expect(ran).toBe(ESCAPE_TEXTS.length);
    },
  );
});
