import { describe, expect, it } from "vitest";
import { compareDefinitions } from "./compare-definitions.ts";
import type { JsonObject } from "./json.ts";

const before: JsonObject = {
  initial: "draft",
  maxSteps: 10,
  meta: { notes: ["a"] },
  states: {
    draft: {
      label: "Draft",
      meta: { position: { x: 1 } },
      invoke: {
        src: "core.transform",
        input: { mapping: { text: "Hello", "unit price": 1 } },
        onDone: [{ target: "check", guard: { type: "cel", params: { expression: "true" } } }, { target: "done" }],
      },
    },
    check: { invoke: { src: "core.log", input: { message: "m" }, onDone: "done" } },
    old: { invoke: { src: "core.log", input: { message: "m" }, onDone: "done" } },
    done: { type: "final" },
  },
};

const after: JsonObject = {
  initial: "draft",
  timeoutMs: 5_000,
  meta: { notes: ["b"] },
  states: {
    draft: {
      label: "Draft",
      meta: { position: { x: 99 } },
      invoke: {
        src: "core.transform",
        input: { mapping: { text: "Hi", "unit price": 2 } },
        onDone: [{ target: "done" }],
      },
    },
    group: {
      initial: "check",
      states: {
        check: { invoke: { src: "core.log", input: { message: "m" }, onDone: "ready" } },
        ready: { type: "final" },
      },
      onDone: "done",
    },
    loop: { loop: { type: "while", bodyInitial: "inside", bodyStates: { inside: { type: "final" } }, onDone: "done" } },
    done: { type: "final" },
  },
};

describe("a comparison of two definitions", () => {
  it("names states by id: added, removed, changed where, moved between groups", () => {
    expect(compareDefinitions(before, after)).toEqual({
      added: ["group", "ready", "loop", "inside"],
      removed: ["old"],
      moved: [{ stateId: "check", from: null, to: "group" }],
      changed: [
        { stateId: "draft", path: "invoke.input.mapping.text", from: "Hello", to: "Hi" },
        { stateId: "draft", path: 'invoke.input.mapping["unit price"]', from: 1, to: 2 },
        {
          stateId: "draft",
          path: "invoke.onDone[0].guard",
          from: { type: "cel", params: { expression: "true" } },
        },
        { stateId: "draft", path: "invoke.onDone[0].target", from: "check", to: "done" },
        { stateId: "draft", path: "invoke.onDone[1]", from: { target: "done" } },
        { stateId: "check", path: "invoke.onDone", from: "done", to: "ready" },
      ],
      settings: [
        { path: "maxSteps", from: 10 },
        { path: "timeoutMs", to: 5_000 },
      ],
    });
  });

  it("is empty for equal ones, whatever the order of keys, and turns around", () => {
    const empty = { added: [], removed: [], changed: [], moved: [], settings: [] };
    expect(compareDefinitions(before, before)).toEqual(empty);
    const { states, ...rest } = before;
    expect(compareDefinitions(before, { states: states ?? null, ...rest })).toEqual(empty);
    const [there, back] = [compareDefinitions(before, after), compareDefinitions(after, before)];
    expect(back.added.toSorted()).toEqual(there.removed.toSorted());
    expect(back.changed).toHaveLength(there.changed.length);
  });

  it("sees the parts of a loop and a key called __proto__", () => {
    const loop = (maxIterations: number, text: string): JsonObject => ({
      states: { l: { loop: { type: "while", maxIterations, bodyInitial: "b", bodyStates: { b: { label: text } } } } },
    });
    expect(compareDefinitions(loop(1, "x"), loop(2, "y")).changed).toEqual([
      { stateId: "l", path: "loop.maxIterations", from: 1, to: 2 },
      { stateId: "b", path: "label", from: "x", to: "y" },
    ]);
    const odd = (value: number) => JSON.parse(`{"context":{"__proto__":${value}},"states":{}}`) as JsonObject; // cast: JSON
    expect(compareDefinitions(odd(1), odd(2)).settings).toEqual([{ path: "context.__proto__", from: 1, to: 2 }]);
  });
});
