import type { Json, JsonObject } from "@oven/contract";
import type { ScriptedNode } from "../../testing/scripted-nodes.ts";

const numberOf = (input: unknown, key: string): number => Number((input as JsonObject)[key] ?? 0);

/** What a call answers follows from its input. */
export function answerOf(src: string, input: Json): Json {
  const n = numberOf(input, "n");
  if (src === "pay") return { paid: (input as JsonObject).amount ?? null, n: (n * 5 + 1) % 17 };
  return { n: (n * 7 + numberOf(input, "k")) % 23 };
}

const pay: ScriptedNode = {
  effect: "at-most-once",
  run: ({ input }) => ({ type: "done", output: answerOf("pay", input as Json) }),
};
const ask: ScriptedNode = {
  effect: "at-least-once",
  run: ({ input }) => ({ type: "done", output: answerOf("ask", input as Json) }),
};
const shape: ScriptedNode = {
  effect: "pure",
  isLocal: true,
  run: ({ input }) => ({ type: "done", output: { ...(input as JsonObject) } }),
};
const sleep: ScriptedNode = {
  effect: "pure",
  isWait: true,
  run: ({ input, now }) => {
    const dueAt = new Date(now() + numberOf(input, "minutes") * 60_000).toISOString();
    return { type: "wait", for: "timer", request: { dueAt } };
  },
  resume: () => ({ type: "done", output: {} }),
};
const review: ScriptedNode = {
  effect: "pure",
  isLocal: true,
  run: ({ input }) => ({
    type: "wait",
    for: "review",
    request: {
      title: String((input as JsonObject).title ?? "Go on?"),
      proposal: (input as JsonObject).show ?? null,
      ...{ schema: null, context: null, tool: null, assignees: [], actions: ["approve", "reject"], dueAt: null },
    },
  }),
  resume: (_call, signal) => ({ type: "done", output: { action: (signal as { action: string }).action } }),
};

export const NODES = { pay, ask, shape, sleep, review };

export function node(src: string, input: object, onDone: unknown): object {
  return { invoke: { src, input, onDone } };
}
