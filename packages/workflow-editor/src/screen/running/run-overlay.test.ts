import type { Execution, NodeRun } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { toGraph } from "../../graph/to-graph.ts";
import { toTimeline } from "../../run/timeline.ts";
import { toOutputs, toRunPath, toRunProgress } from "./run-overlay.ts";

function nodeRun(id: number, nodeId: string, more: Partial<NodeRun> = {}): NodeRun {
  const startedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, id)).toISOString();
  return {
    id,
    executionId: 1,
    nodeId,
    parentNodeId: null,
    nodeType: "core.log",
    nodeVersion: 1,
    visit: 1,
    attempt: 1,
    item: null,
    status: "completed",
    input: {},
    output: { of: id },
    tokenUsage: null,
    toolCalls: null,
    costMicros: 0,
    error: null,
    errorInfo: null,
    durationMs: 1_000,
    startedAt,
    completedAt: startedAt,
    ...more,
  };
}
const rowsOf = (nodes: NodeRun[]) => toTimeline({ nodes, live: [], nodeTypes: undefined, labels: {} });
const standing = (activeStates: string[], more: Partial<Execution> = {}) => ({
  status: "running" as const,
  currentState: activeStates.join(", "),
  activeStates,
  waitingUntil: null,
  checkpoint: null,
  ...more,
});
const usage = (total: number) => ({ input: total, output: 0, total });

describe("a run on the canvas", () => {
  it("says per state how long, how often, what it used, and how many items have ended", () => {
    const rows = rowsOf([
      nodeRun(1, "ask", { tokenUsage: usage(300), costMicros: 2_000 }),
      nodeRun(2, "each", { item: "0", nodeType: "core.forEach" }),
      nodeRun(3, "each", { item: "1", nodeType: "core.forEach", status: "running", completedAt: null }),
      nodeRun(4, "each", { nodeType: "core.forEach", status: "running", completedAt: null, durationMs: null }),
      nodeRun(5, "ask", { visit: 2, tokenUsage: usage(40), costMicros: 1_000 }),
      nodeRun(6, "ask.call", { tokenUsage: usage(9_000) }),
    ]);
    const progress = toRunProgress(rows, standing(["each"]));
    expect(progress.ask).toMatchObject({ status: "completed", visits: 2, spent: ["340 tok", "$0.003"] });
    expect(progress.each).toMatchObject({ status: "running", items: { ended: 1, total: 2 } });
    expect(progress.each).not.toHaveProperty("spent");
  });

  it("says of a state without a node at work what the run waits for there", () => {
    const at = new Date(Date.UTC(2026, 0, 1, 12)).toISOString();
    const rows = rowsOf([nodeRun(1, "ask"), nodeRun(2, "delay", { status: "running", completedAt: null })]);
    // A timer of a state that has no node; one that the run is in for the second time; a node that waits for its time.
    expect(toRunProgress(rows, standing(["rest"], { waitingUntil: at })).rest?.label).toMatch(/^waits until .*\d/);
    expect(toRunProgress(rows, standing(["ask"], { waitingUntil: at })).ask).toMatchObject({
      status: "running",
      label: expect.stringMatching(/^waits until/),
    });
    expect(toRunProgress(rows, standing(["delay"], { waitingUntil: at })).delay?.label).toMatch(/^waits until/);
    const waiting = { nodeId: "rest", visit: 1, item: null, for: "event" as const, reviewId: null, dueAt: null };
    const paused = standing(["rest"], {
      status: "paused",
      checkpoint: { seq: 3, waiting: [{ ...waiting, events: ["orders.paid"] }] },
    });
    expect(toRunProgress(rows, paused).rest).toEqual({ status: "paused", label: "waits for orders.paid" });
  });

  it("says nothing of waiting where a node is at work, where a region has ended, and of a run that has", () => {
    const rows = rowsOf([nodeRun(1, "ask.call", { status: "running", completedAt: null })]);
    expect(toRunProgress(rows, standing(["ask"])).ask).toEqual({ status: "running" });
    expect(toRunProgress(rows, standing(["ask", "end"]), new Set(["end"]))).not.toHaveProperty("end");
    expect(toRunProgress(rows, standing(["rest"], { status: "cancelled" }))).not.toHaveProperty("rest");
  });

  it("lights the lines it took, up to where it ended", () => {
    const model = toGraph({
      initial: "ask",
      states: {
        ask: { invoke: { src: "core.log", onDone: [{ target: "yes", guard: "g" }, { target: "no" }] } },
        yes: { invoke: { src: "core.log", onDone: "done" } },
        no: { invoke: { src: "core.log", onDone: "done" } },
        done: { type: "final" },
      },
    });
    const rows = rowsOf([nodeRun(1, "ask"), nodeRun(2, "no")]);
    const lit = (status: "running" | "completed", currentState: string) => {
      const path = toRunPath(model, rows, { status, currentState });
      return model.edges.filter(({ id }) => path.has(id)).map(({ source, target }) => `${source}→${target}`);
    };
    expect(lit("running", "no")).toEqual(["(start)→ask", "ask→no"]);
    expect(lit("completed", "done")).toEqual(["(start)→ask", "ask→no", "no→done"]);
  });

  it("has the newest output of each state to pin, and none of items, parts and failures", () => {
    const nodes = [
      nodeRun(1, "ask"),
      nodeRun(2, "ask", { visit: 2 }),
      nodeRun(3, "each", { item: "0" }),
      nodeRun(4, "ask.call"),
      nodeRun(5, "bad", { status: "failed" }),
    ];
    expect(toOutputs({ nodes })).toEqual({ ask: { of: 2 } });
    expect(toOutputs(undefined)).toEqual({});
  });
});
