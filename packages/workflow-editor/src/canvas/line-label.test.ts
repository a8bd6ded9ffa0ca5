import { expect, it } from "vitest";
import { toGraph } from "../graph/to-graph.ts";
import { lineLabels } from "./line-label.ts";

it("names the ends of a line as they are shown, the outcome it leaves by, and whether a run took it", () => {
  const model = toGraph({
    initial: "ask",
    states: {
      ask: { label: "Ask Ada", invoke: { src: "core.log", onDone: "done", onError: "failed" } },
      done: { type: "final", label: "The end" },
      failed: { type: "final" },
    },
  });
  const words = lineLabels(model);
  expect(model.edges.map((edge) => words(edge, edge.target === "done"))).toEqual([
    "Line from the start to Ask Ada",
    expect.stringMatching(/^Line from Ask Ada to The end(, \w+)?, taken by the run$/),
    "Line from Ask Ada to failed, error",
  ]);
});
