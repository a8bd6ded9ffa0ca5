import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { refuseBegin, refuseEnd } from "./partial-run.ts";

const node = { invoke: { src: "core.log" } };
const loop = (concurrency: number, body: string): JsonObject => ({
  loop: { type: "forEach", concurrency, bodyInitial: body, bodyStates: { [body]: node } },
});
const document: JsonObject = {
  initial: "a",
  states: {
    a: node,
    group: { initial: "inner", states: { inner: node, end: { type: "final" } } },
    slow: loop(1, "step"),
    fast: loop(3, "pass"),
    wait: { after: { "1000": "a" } },
  },
};

describe("a run of a part of a graph", () => {
  it("ends after nodes and loops, wherever they stand but in a pass of its own", () => {
    for (const id of ["a", "inner", "slow", "step", "fast"]) expect(refuseEnd(document, id), id).toBeNull();
    expect(refuseEnd(document, "pass")).toContain("end after fast");
    for (const id of ["wait", "end", "group"]) expect(refuseEnd(document, id), id).toContain("after a node");
  });

  it("begins anywhere but in a loop", () => {
    for (const id of ["a", "group", "inner", "end", "wait", "slow"]) expect(refuseBegin(document, id), id).toBeNull();
    expect(refuseBegin(document, "step")).toContain("begin at slow");
    expect(refuseBegin(document, "pass")).toContain("begin at fast");
  });

  it("needs a state that is there", () => {
    for (const id of [undefined, "gone"])
      expect([refuseBegin(document, id), refuseEnd(document, id)]).toEqual(Array(2).fill("Select one state first"));
  });
});
