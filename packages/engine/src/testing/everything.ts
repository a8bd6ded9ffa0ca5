import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { expect } from "vitest";
import { EngineHarness } from "./engine-harness.ts";
import type { ScriptedNode } from "./scripted-nodes.ts";

const step: ScriptedNode = {
  run: ({ input, node }) => ({
    type: "done",
    output: { ...(input as JsonObject), visit: node.visit },
    patch: [{ op: "add", path: "/messages/-", value: { role: "user", content: `${node.nodeId} ${node.visit}` } }],
    spend: { tokenUsage: { input: 1, output: 1, total: 2 }, costMicros: 3, simulated: true },
  }),
};
const flaky: ScriptedNode = {
  retry: { maxAttempts: 3, initialMs: 1_000 },
  run: ({ node }) => {
    if (node.attempt < 3) throw new Error("not yet");
    return { type: "done", output: { attempt: node.attempt } };
  },
};
const ask: ScriptedNode = {
  run: () => ({
    type: "wait",
    for: "review",
    request: {
      title: "?",
      proposal: 1,
      schema: null,
      context: null,
      tool: null,
      assignees: [],
      actions: ["approve"],
      dueAt: null,
    },
  }),
  resume: (_call, signal) => ({ type: "done", output: { action: (signal as { action: string }).action } }),
};
const sleep: ScriptedNode = {
  run: () => ({ type: "wait", for: "timer", request: { dueAt: "2026-01-01T00:01:00.000Z" } }),
  resume: () => ({ type: "done", output: {} }),
};
const items: ScriptedNode = {
  run: () => ({
    type: "wait",
    for: "items",
    request: { concurrency: 2, items: ["a", "b", "c"].map((key) => ({ key, input: key })) },
  }),
  runItem: (_call, { key }) => ({ type: "done", output: `did ${key}` }),
  resume: (_call, signal) => ({
    type: "done",
    output: { all: (signal as { items: { output: Json }[] }).items.map(({ output }) => output) },
  }),
};
const refund: ScriptedNode = { effect: "at-most-once", run: () => ({ type: "done", output: { refunded: true } }) };
const fail: ScriptedNode = {
  run: () => {
    throw new OvenError("BROKEN", "always");
  },
};
export const NODES = { step, flaky, ask, sleep, items, refund, fail };
export const node = (src: string, onDone: unknown, more: object = {}) => ({ invoke: { src, onDone, ...more } });

/** One run that goes through everything a log can hold. */
export const everything = {
  initial: "loop",
  context: { count: 0 },
  on: { "orders.paid": { actions: [{ type: "assign", params: { path: "$.paid", value: "$.event.payload" } }] } },
  states: {
    loop: {
      loop: {
        type: "forEach",
        collection: [1, 2, 3],
        bodyInitial: "one",
        bodyStates: { one: node("step", "over", { input: { n: "$.item" } }), over: { type: "final" } },
        onDone: "flaky",
      },
    },
    flaky: node("flaky", { target: "both", actions: [{ type: "assign", params: { path: "$.count", add: 1 } }] }),
    both: {
      type: "parallel",
      states: {
        left: { initial: "l1", states: { l1: node("ask", "l2"), l2: { type: "final" } } },
        right: { initial: "r1", states: { r1: node("sleep", "r2"), r2: node("items", "r3"), r3: { type: "final" } } },
      },
      onDone: "broken",
    },
    broken: node("fail", "never", { onError: "refund" }),
    never: { type: "final" },
    refund: node("refund", "fan"),
    fan: {
      loop: {
        type: "forEach",
        collection: [4, 5],
        concurrency: 2,
        bodyInitial: "work",
        bodyStates: { work: node("step", "out", { input: { n: "$.item" } }), out: { type: "final" } },
        onDone: "wait",
      },
    },
    wait: { on: { go: "done" }, after: { P1D: "done" } },
    done: { type: "final", output: { paid: "$.paid", all: "$.r2_output.all", fan: "$.fan_output.count" } },
  },
};

/** One run of it, to its end, with a restart on the way. */
export async function recordEverything(): Promise<{ harness: EngineHarness; id: number }> {
  const harness = new EngineHarness(everything, NODES);
  const id = await harness.execute({ who: "me" });
  await harness.elapse(1_500);
  await harness.elapse(3_000);
  await harness.send(id, "orders.paid", { amount: 5 });
  harness.restart();
  await harness.store.voidLeases();
  await harness.decide(1, "approve");
  await harness.elapse(60_000);
  await harness.elapse(86_400_000);
  expect(harness.columns(id)).toMatchObject({
    status: "completed",
    output: { paid: { amount: 5 }, all: ["did a", "did b", "did c"], fan: 2 },
  });
  return { harness, id };
}
