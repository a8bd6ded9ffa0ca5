import type { JsonObject } from "@oven/contract";
import { removeAt, setAt } from "@oven/scope";
import { describe, expect, it } from "vitest";
import { toBases, toStale } from "./basis.ts";

const definition: JsonObject = {
  initial: "a",
  states: {
    a: { invoke: { src: "core.log", input: { message: "one" }, onDone: "b" } },
    b: { label: "B", invoke: { src: "core.log", input: { message: "two" }, onDone: "group" } },
    group: {
      initial: "c",
      states: {
        c: { invoke: { src: "core.log", input: { message: "three" }, onDone: "end" } },
        end: { type: "final" },
      },
      onDone: "done",
    },
    done: { type: "final" },
  },
};
const message = (state: string) => ["states", state, "invoke", "input", "message"];

describe("what a result is made from", () => {
  it("makes a change stale in the state and in all that follow, not in those before", () => {
    const changed = setAt(definition, message("b"), "2");
    expect([...toStale(definition, changed)].toSorted()).toEqual(["b", "c", "done", "end", "group"]);
    expect(toStale(changed, definition).size).toBe(5);
  });

  it("sees a change inside a group in what follows inside of it", () => {
    const changed = setAt(definition, ["states", "group", "states", "c", "invoke", "input", "message"], "3");
    expect([...toStale(definition, changed)].toSorted()).toEqual(["c", "end"]);
  });

  it("is not touched by labels, places and the order of keys", () => {
    const named = setAt(setAt(definition, ["states", "a", "label"], "A"), ["meta"], {
      positions: { a: { x: 1, y: 2 } },
    });
    expect(toStale(definition, removeAt(named, ["states", "b", "label"])).size).toBe(0);
    const { states, ...rest } = definition;
    expect(toStale(definition, { states: states ?? null, ...rest }).size).toBe(0);
  });

  it("calls a state that was not there before neither stale nor fresh, and ends in a cycle", () => {
    const cycle = setAt(setAt(definition, ["states", "b", "invoke", "onDone"], "a"), ["states", "z"], {
      type: "final",
    });
    expect(toStale(definition, cycle).has("z")).toBe(false);
    expect(toStale(definition, cycle).has("a")).toBe(true);
  });

  it("has a basis that changes with what comes before, and only with that", () => {
    const changed = setAt(definition, message("b"), "2");
    const [before, after] = [toBases(definition, ["a", "c", "gone"]), toBases(changed, ["a", "c", "gone"])];
    expect([...before.keys()]).toEqual(["a", "c"]);
    expect(after.get("a")).toBe(before.get("a"));
    expect(after.get("c")).not.toBe(before.get("c"));
  });
});
