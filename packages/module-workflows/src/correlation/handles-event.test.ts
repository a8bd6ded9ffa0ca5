import type { Definition } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { handlesEvent, mayHandleEvent, patternsOf } from "./handles-event.ts";

const definition: Definition = {
  initial: "outer",
  states: {
    outer: {
      initial: "leaf",
      on: { "orders.*": "done" },
      states: { leaf: {}, other: { on: { "orders.paid": "leaf" } } },
    },
    looping: {
      loop: {
        type: "while",
        bodyInitial: "inside",
        bodyStates: { inside: { on: { stop: "end" } }, end: { type: "final" } },
      },
    },
    plain: {},
    done: { type: "final" },
  },
};

describe("whether a run handles an event", () => {
  it("is decided by the active states and those around them", () => {
    expect(handlesEvent(definition, ["leaf"], patternsOf("orders.paid"))).toBe(true);
    expect(handlesEvent(definition, ["leaf.llm"], patternsOf("orders.paid"))).toBe(true);
    expect(handlesEvent(definition, ["plain"], patternsOf("orders.paid"))).toBe(false);
    expect(handlesEvent(definition, ["leaf"], patternsOf("order.paid"))).toBe(false);
    expect(handlesEvent(definition, ["inside"], patternsOf("stop"))).toBe(true);
    expect(handlesEvent(definition, ["leaf", "plain"], patternsOf("stop"))).toBe(false);
  });

  it("can be ruled out for a definition as a whole", () => {
    expect(mayHandleEvent(definition, patternsOf("orders.paid"))).toBe(true);
    expect(mayHandleEvent(definition, patternsOf("stop"))).toBe(true);
    expect(mayHandleEvent(definition, patternsOf("start"))).toBe(false);
    expect(mayHandleEvent({ ...definition, on: { start: "done" } }, patternsOf("start"))).toBe(true);
  });

  it("takes handlers of the definition and of everything", () => {
    expect(handlesEvent({ ...definition, on: { "*": "done" } }, ["plain"], patternsOf("any.thing"))).toBe(true);
    expect(handlesEvent({ ...definition, on: { toString: "done" } }, ["plain"], patternsOf("valueOf"))).toBe(false);
    expect(patternsOf("a.b.c")).toEqual(["a.b.c", "a.*", "a.b.*", "*"]);
  });
});
