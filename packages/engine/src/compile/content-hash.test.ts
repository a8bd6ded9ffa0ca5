import { describe, expect, it } from "vitest";
import { contentHash } from "./content-hash.ts";

const base = {
  initial: "a",
  states: { a: { invoke: { src: "core.log", input: { meta: { kept: 1 } }, onDone: "b" } }, b: { type: "final" } },
};

describe("the content hash", () => {
  it("is the same whatever the key order and whatever stands in meta", () => {
    const hash = contentHash(base);
    expect(contentHash({ states: base.states, initial: "a" })).toBe(hash);
    expect(
      contentHash({ ...base, meta: { zoom: 2 }, states: { ...base.states, b: { type: "final", meta: { x: 1 } } } }),
    ).toBe(hash);
  });

  it("changes with everything else, data called meta and a state called meta included", () => {
    const hash = contentHash(base);
    const changed = [
      { ...base, initial: "b" },
      { ...base, states: { ...base.states, meta: { type: "final" } } },
      { ...base, states: { ...base.states, a: { invoke: { ...base.states.a.invoke, input: { meta: { kept: 2 } } } } } },
    ];
    expect(new Set([hash, ...changed.map(contentHash)]).size).toBe(4);
  });
});
