import type { RunEvent } from "@oven/contract/run";
import { expect, it } from "vitest";
import { toToolSteps } from "./tool-steps.ts";

const event = (seq: number, name: RunEvent["event"], fields: object): RunEvent => ({
  seq,
  executionId: 1,
  at: "2026-01-01T00:00:00.000Z",
  event: name,
  ...fields,
});

it("tells a call of a tool from its beginning to what it answered, whichever ends first", () => {
  const log = [
    event(1, "tool.started", { toolCallId: "a", tool: "orders.get", arguments: { id: 1 } }),
    event(2, "tool.started", { toolCallId: "b", tool: "orders.pay", arguments: { id: 2 } }),
    event(3, "tool.failed", { toolCallId: "b", tool: "orders.pay", error: "no money", durationMs: 4 }),
  ];
  expect(toToolSteps(log)).toEqual([
    {
      id: "a",
      tool: "orders.get",
      arguments: { id: 1 },
      result: undefined,
      state: "running",
      error: null,
      durationMs: null,
    },
    {
      id: "b",
      tool: "orders.pay",
      arguments: { id: 2 },
      result: undefined,
      state: "failed",
      error: "no money",
      durationMs: 4,
    },
  ]);
  const content = [
    {
      type: "tool-result",
      toolCallId: "a",
      toolName: "orders.get",
      output: { type: "json", value: { status: "late" } },
    },
  ];
  const more = [
    ...log,
    event(4, "tool.completed", { toolCallId: "a", tool: "orders.get", durationMs: 9 }),
    event(5, "message.added", { message: { role: "tool", content } }),
    event(6, "message.added", { message: { role: "assistant", content: "Late." } }),
  ];
  expect(toToolSteps(more)[0]).toMatchObject({ state: "done", durationMs: 9, result: { status: "late" } });
});
