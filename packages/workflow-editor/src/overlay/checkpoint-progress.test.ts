import type { RunCheckpoint } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { toStandstill } from "./checkpoint-progress.ts";

function checkpoint(seq: number, more: Partial<RunCheckpoint>): RunCheckpoint {
  return {
    seq,
    at: "2026-01-01T00:00:00.000Z",
    cause: "done",
    nodeId: null,
    visit: null,
    item: null,
    activeStates: [],
    steps: seq,
    end: null,
    ...more,
  };
}

const run = [
  checkpoint(1, { cause: "start", activeStates: ["ask"] }),
  checkpoint(2, { nodeId: "ask", visit: 1, activeStates: ["each"] }),
  checkpoint(3, { nodeId: "each", visit: 1, item: "0", activeStates: ["each"] }),
  checkpoint(4, { nodeId: "each", visit: 1, activeStates: ["ask"] }),
  checkpoint(5, { cause: "failed", nodeId: "ask", visit: 2, activeStates: ["failed"], end: "failed" }),
];

describe("a run at one of its checkpoints", () => {
  it("has begun, and is where it begins", () => {
    expect(toStandstill(run, 0)).toMatchObject({ nodes: { ask: { status: "running", label: "here" } }, ends: [] });
  });

  it("has what was done by then, and nothing of what came later", () => {
    const { nodes, steps } = toStandstill(run, 1);
    expect(nodes).toEqual({
      ask: { status: "completed", visits: 1 },
      each: { status: "running", label: "here", visits: 1 },
    });
    expect(steps.map(({ stateId }) => stateId)).toEqual(["ask", "each"]);
  });

  it("is not through a loop with the first of its items", () => {
    expect(toStandstill(run, 2).nodes.each?.status).toBe("running");
    expect(toStandstill(run, 3).nodes.each?.status).toBe("completed");
  });

  it("has not failed with one of its items, nor with a part of it", () => {
    const failures = [
      checkpoint(1, { cause: "start", activeStates: ["each"] }),
      checkpoint(2, { cause: "failed", nodeId: "each", visit: 1, item: "0", activeStates: ["each"] }),
      checkpoint(3, { cause: "failed", nodeId: "each.call", visit: 1, activeStates: ["each"] }),
    ];
    const { nodes, steps } = toStandstill(failures, 2);
    expect(nodes.each?.status).toBe("running");
    expect(steps).toEqual([{ stateId: "each", start: 1, failed: false }]);
  });

  it("knows the end, the visits and what failed", () => {
    const { nodes, steps, ends } = toStandstill(run, 4);
    expect(nodes.ask).toEqual({ status: "failed", visits: 2 });
    expect(nodes.failed).toEqual({ status: "failed" });
    expect(ends).toEqual(["failed"]);
    expect(steps.map(({ stateId, failed }) => [stateId, failed])).toEqual([
      ["ask", false],
      ["each", false],
      ["ask", true],
    ]);
  });

  it("is nothing where there are no checkpoints", () => {
    expect(toStandstill([], 0)).toEqual({ nodes: {}, steps: [], ends: [] });
  });
});
