import { expect, it } from "vitest";
import { runFirstGraph } from "./demos/run-first-graph.ts";

it("a graph with model, condition, review, HTTP call and agent is built in 45 clicks without JSON, and runs", async () => {
  const { clicks, verdict, status, received } = await runFirstGraph();
  expect(clicks).toBeLessThanOrEqual(45);
  expect(verdict).toBe("valid");
  expect(status).toBe("completed");
  expect(received).toEqual([{ category: "refund", amount: 250 }]);
});
