import type { Execution, NodeRun } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { firstChoice, nodeRunsOf, statesOfLoops, toLoopItems } from "./loop-items.ts";

const log = { invoke: { src: "core.log" } };
const definition = {
  initial: "each",
  states: {
    each: {
      loop: {
        type: "forEach",
        bodyInitial: "check",
        bodyStates: { check: log, pay: log, out: { type: "final" } },
      },
    },
    after: log,
  },
};
const rows = (...ids: string[]) => ids.map((nodeId, id) => ({ id, nodeId, item: null }) as NodeRun); // cast: the rest is not read
const runOf = (
  statuses: string[],
  nodes: NodeRun[],
  items?: Record<string, number>,
): Pick<Execution, "context" | "nodes" | "options"> => ({
  options: items === undefined ? null : { items },
  context: { each_output: { items: statuses.map((status, index) => ({ index, input: { n: index }, status })) } },
  nodes,
});

describe("the items of a loop around a step", () => {
  it("are what the run came to, and nothing where there is no loop", () => {
    const run = runOf(["completed", "pending"], []);
    expect(toLoopItems(definition, "pay", run)).toEqual([
      {
        loopId: "each",
        first: 0,
        items: [
          { index: 0, input: { n: 0 }, status: "completed" },
          { index: 1, input: { n: 1 }, status: "pending" },
        ],
      },
    ]);
    expect(toLoopItems(definition, "after", run)).toEqual([]);
    expect(toLoopItems(definition, "pay", { context: {}, options: null })).toEqual([]);
    expect([...statesOfLoops(definition, "pay")]).toEqual(["each", "check", "pay", "out"]);
    expect([...statesOfLoops(definition, "after")]).toEqual([]);
  });

  it("begin with the one that failed, or that the run is in", () => {
    const first = (...statuses: string[]) => {
      const [loop] = toLoopItems(definition, "pay", runOf(statuses, []));
      if (loop === undefined) throw new Error("no loop");
      return firstChoice(loop);
    };
    expect(first("completed", "failed", "completed")).toBe(1);
    expect(first("completed", "pending", "pending")).toBe(1);
    expect(first("completed", "completed")).toBe(1);
  });

  it("have node runs of their own, from one begin of the body to the next", () => {
    const nodes = rows("each", "check", "pay", "check", "check", "pay", "after");
    const idsOf = (index: number, run = runOf(["completed", "completed", "completed"], nodes)) =>
      nodeRunsOf(definition, "pay", run, { each: index })?.map(({ id }) => id) ?? null;
    expect([0, 1, 2].map((index) => idsOf(index))).toEqual([[1, 2], [3], [4, 5]]);
    // The last one failed, so it has no status yet.
    expect(idsOf(2, runOf(["completed", "completed", "pending"], nodes))).toEqual([4, 5]);
    // A run of one item alone has nothing of the others.
    const alone = runOf(["pending", "pending", "pending"], rows("each", "check", "pay"), { each: 1 });
    expect([0, 1, 2].map((index) => idsOf(index, alone))).toEqual([null, [1, 2], null]);
    // It came to its first state more often than it has items: it cannot be said which is which.
    expect(idsOf(0, runOf(["completed"], nodes))).toBeNull();
    expect(nodeRunsOf(definition, "pay", runOf(["completed"], nodes), {})).toBeNull();
  });
});
