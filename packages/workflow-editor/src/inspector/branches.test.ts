import type { JsonObject } from "@oven/contract";
import { findState } from "@oven/scope";
import { describe, expect, it } from "vitest";
import { afterOf, moveUp, outletOfBranch, outletsOf, writeBranches } from "./branches.ts";

const guard: JsonObject = { type: "condition", params: { key: "$.trigger.amount", operator: ">", value: 100 } };
const document: JsonObject = {
  initial: "a",
  states: {
    a: {
      invoke: { src: "core.log", onDone: [{ target: "b", guard }, "c"] },
      after: { PT1H: "c" },
      on: { "a.stop": "c" },
    },
    b: { always: "c" },
    group: { initial: "x", states: { x: {} } },
    c: { type: "final" },
  },
};
const place = (id: string) => {
  const found = findState(document, id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};

describe("outletsOf", () => {
  it("lists what leads on, in order, and what could", () => {
    expect(outletsOf(place("a"))).toEqual([
      { at: ["invoke", "onDone"], title: "When it is done", branches: [{ target: "b", guard }, { target: "c" }] },
      { at: ["invoke", "onError"], title: "On an error", branches: [] },
      { at: ["after", "PT1H"], title: "After PT1H", branches: [{ target: "c" }] },
      { at: ["on", "a.stop"], title: "On a.stop", branches: [{ target: "c" }] },
    ]);
    expect(["b", "group", "c"].map((id) => outletsOf(place(id)).map(({ title }) => title))).toEqual([
      ["At once"],
      ["When its states are done", "On an error inside"],
      [],
    ]);
  });
});

it("says what the branches of an outcome follow", () => {
  expect(
    [["invoke", "onDone"], ["onDone"], ["loop", "onError"], ["on", "onDone"], ["after", "PT1H"], ["always"]].map(
      afterOf,
    ),
  ).toEqual(["done", "done", "error", "event", null, null]);
});

describe("writeBranches", () => {
  const written = (id: string, at: string[], branches: JsonObject[]) =>
    findState(writeBranches(document, place(id), at, branches), id)?.state;

  it("writes one branch short and several as a list", () => {
    expect(written("a", ["invoke", "onDone"], [{ target: "c" }])).toMatchObject({ invoke: { onDone: "c" } });
    expect(written("a", ["invoke", "onDone"], [{ target: "c" }, { target: "b", guard }])).toMatchObject({
      invoke: { onDone: ["c", { target: "b", guard }] },
    });
  });

  it("takes away an outcome without branches, and a map that nothing is left in", () => {
    expect(written("a", ["on", "a.stop"], [])).not.toHaveProperty("on");
    expect(written("b", ["always"], [])).toEqual({});
  });
});

it("moves an entry up, never past the first", () => {
  expect([moveUp(["a", "b", "c"], 2), moveUp(["a", "b"], 0)]).toEqual([
    ["a", "c", "b"],
    ["a", "b"],
  ]);
});

describe("outletOfBranch", () => {
  it("finds the line of a branch, of an outcome, a timer and an event", () => {
    const of = (at: string[], index: number) => outletOfBranch(document, { stateId: "a", at, index });
    expect(of(["invoke", "onDone"], 0)).toMatchObject({
      from: "a",
      slot: "invoke.onDone",
      transition: { target: "b" },
    });
    expect(of(["invoke", "onDone"], 1)).toMatchObject({ transition: { target: "c", index: 1 } });
    expect(of(["after", "PT1H"], 0)).toMatchObject({ slot: "after", key: "PT1H" });
    expect(of(["on", "a.stop"], 0)).toMatchObject({ slot: "on", key: "a.stop" });
  });

  it("is undefined when the branch is gone", () => {
    expect(outletOfBranch(document, { stateId: "a", at: ["invoke", "onDone"], index: 2 })).toBeUndefined();
    expect(outletOfBranch(document, { stateId: "gone", at: ["always"], index: 0 })).toBeUndefined();
  });
});
