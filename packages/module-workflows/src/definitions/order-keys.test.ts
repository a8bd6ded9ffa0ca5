import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { inReadingOrder } from "./order-keys.ts";

/** As jsonb gives keys back: by length, then alphabet. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, shuffled(inner)]));
}

const definition: JsonObject = {
  id: "order",
  initial: "start",
  states: {
    start: {
      label: "Start",
      invoke: {
        src: "core.log",
        input: { z: 1, a: 2 },
        onDone: [
          { target: "check", guard: { type: "condition", params: { key: "$.a", operator: "==", value: 1 } } },
          { target: "end" },
        ],
        onError: "failed",
      },
    },
    check: {
      initial: "inner",
      states: { inner: { invoke: { src: "core.log", onDone: "innerEnd" } }, innerEnd: { type: "final" } },
      onDone: "end",
    },
    end: { type: "final", output: "$.x" },
    failed: { type: "final", outcome: "failed" },
  },
  meta: { note: "x" },
};

describe("reading order", () => {
  it("gives a shuffled definition back with states along the transitions and keys in their places", () => {
    const ordered = inReadingOrder(shuffled(definition) as JsonObject);
    expect(ordered).toEqual(definition);
    const states = ordered.states as Record<string, JsonObject>;
    expect(Object.keys(ordered)).toEqual(["id", "initial", "states", "meta"]);
    expect(Object.keys(states)).toEqual(["start", "check", "end", "failed"]);
    expect(Object.keys(states.start as JsonObject)).toEqual(["label", "invoke"]);
    expect(Object.keys((states.start as { invoke: JsonObject }).invoke)).toEqual(["src", "input", "onDone", "onError"]);
    expect(Object.keys((states.check as { states: JsonObject }).states)).toEqual(["inner", "innerEnd"]);
  });

  it.each([
    ["unknown keys", { "x-mine": 1, initial: "a", states: { a: { "x-y": 2, type: "final" } } }],
    ["states that are not objects", { initial: "a", states: { a: null, b: 7 } }],
    [
      "transitions that make no sense",
      { initial: "a", states: { a: { invoke: { onDone: 7 }, always: null, onDone: [[], {}] } } },
    ],
    ["cycles", { initial: "a", states: { b: { always: "a" }, a: { always: "b" } } }],
    ["no states at all", { initial: "a" }],
  ])("loses nothing of %s", (_name, odd) => {
    expect(inReadingOrder(odd as JsonObject)).toEqual(odd);
  });
});
