import type { NodeRun } from "@oven/contract/run";
import { expect, it } from "vitest";
import { pairSteps } from "./compare-runs.ts";

// cast: of a step only these matter here
const step = (nodeId: string, output: NodeRun["output"] = null, visit = 1, item: string | null = null) =>
  ({ nodeId, visit, item, output }) as NodeRun;

it("puts the same steps of two runs beside each other, with what their outputs differ in", () => {
  const one = { nodes: [step("ask", { text: "a", n: 1 }), step("tool"), step("ask", "b", 2), step("end")] };
  const other = { nodes: [step("ask", { text: "c", n: 1 }), step("each", null, 1, "3"), step("end"), step("late")] };
  const pairs = pairSteps(one, other);
  expect(pairs.map(({ name, one: first, other: second }) => [name, first !== null, second !== null])).toEqual([
    ["ask", true, true],
    ["each (3)", false, true],
    ["tool", true, false],
    ["ask ×2", true, false],
    ["end", true, true],
    ["late", false, true],
  ]);
  expect(pairs[0]?.changes).toEqual([{ path: "text", from: "a", to: "c" }]);
  expect(pairs[4]?.changes).toEqual([]);
});

it("begins with what only the other run did first", () => {
  expect(pairSteps({ nodes: [step("b")] }, { nodes: [step("a"), step("b")] }).map(({ name }) => name)).toEqual([
    "a",
    "b",
  ]);
});
