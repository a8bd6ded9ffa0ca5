import type { ImportReport } from "@oven/contract/workflow";
import { expect, it } from "vitest";
import { isImported, toOpenSteps } from "./import-progress.ts";

const element = (name: string, outcome: ImportReport["elements"][number]["outcome"], state: string | null) => ({
  ...{ name, type: "t", outcome, state, notes: [], path: `$.${name}`, line: 1, column: 1 },
});
const report: ImportReport = {
  elements: [
    element("A", "placeholder", "a"),
    element("B", "placeholder", "b"),
    element("C", "mapped", "c"),
    element("D", "placeholder", "d"),
    element("several", "placeholder", null),
  ],
  settings: [],
  notes: [],
};

it("says which placeholders of an import are open, filled or gone, by what the definition has now", () => {
  const definition = {
    states: {
      a: { invoke: { src: "core.http" } },
      group: { states: { b: { invoke: { src: "core.placeholder" } } } },
      c: { invoke: { src: "core.log" } },
    },
  };
  expect(toOpenSteps(report, definition).map(({ name, now }) => [name, now])).toEqual([
    ["B", "open"],
    ["A", "filled"],
    ["D", "gone"],
  ]);
});

it("knows an imported definition by its mark", () => {
  expect(isImported({ states: {}, meta: { imported: { product: "n8n" } } })).toBe(true);
  expect(isImported({ states: {} })).toBe(false);
});
