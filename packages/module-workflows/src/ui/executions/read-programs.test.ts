import type { Execution, NodeRun } from "@oven/contract/run";
import { expect, test } from "vitest";
import { readPrograms } from "./read-programs.ts";

const row = (id: number, more: Partial<NodeRun>): NodeRun => ({
  ...{ id, executionId: 1, nodeId: "work.tools", parentNodeId: "work.tools", nodeType: "orders.get", nodeVersion: 1 },
  ...{ visit: id, attempt: 1, item: `call-${id}`, status: "completed" as const, input: null, output: null },
  ...{ tokenUsage: null, toolCalls: null, costMicros: 0, error: null, errorInfo: null, durationMs: 1 },
  ...{ startedAt: "2026-01-01T00:00:00.000Z", completedAt: null, ...more },
});
const scratch = { program: "await orders_get(id=1)\n", batches: [], corrections: 1, inputs: {} };

test("a step's program stands beside its calls, in their order", () => {
  const nodes = [
    row(3, { status: "paused", input: { tool: "orders.refund", arguments: { id: 2 } } }),
    row(2, { output: { arguments: { id: 9 }, error: "no such order" }, input: { tool: "orders.get", arguments: {} } }),
    row(1, { output: { arguments: { id: 1 }, result: { total: 5 } }, input: { tool: "orders.get", arguments: {} } }),
    row(4, { nodeId: "work.tools", parentNodeId: "work", item: null }),
    row(5, { nodeId: "other.tools", parentNodeId: "other.tools" }),
  ];
  const run: Pick<Execution, "context" | "nodes"> = {
    context: { "work.scratch": scratch, "loop.scratch": { iterations: 2 }, messages: [] },
    nodes,
  };
  expect(readPrograms(run)).toEqual([
    {
      nodeId: "work",
      program: scratch.program,
      corrections: 1,
      calls: [
        expect.objectContaining({ tool: "orders.get", status: "completed", result: { total: 5 }, error: null }),
        expect.objectContaining({ tool: "orders.get", error: "no such order" }),
        expect.objectContaining({ tool: "orders.refund", status: "paused", value: nodes[0]?.input }),
      ],
    },
  ]);
});

test("a run without programs has none", () => {
  expect(readPrograms({ context: null, nodes: [] })).toEqual([]);
  expect(readPrograms({ context: { "work.scratch": { ...scratch, program: null } }, nodes: [] })).toEqual([]);
});
