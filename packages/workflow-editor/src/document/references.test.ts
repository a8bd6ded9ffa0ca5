import { expect, it } from "vitest";
import { rootsOf } from "./references.ts";

it("roots of a whole value leave data alone", () => {
  const value = {
    input: { text: "{{ $.a }}", list: ["$.b.c", { $cel: "ctx.d" }], raw: { $literal: "$.no" } },
    guard: { type: "cel", params: { expression: "ctx.e" } },
    meta: { text: "$.no" },
    "x-more": "$.no",
  };
  expect([...rootsOf(value)]).toEqual(["a", "b", "d", "e"]);
});
