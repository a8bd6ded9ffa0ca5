import type { JsonObject } from "@oven/contract";

const done = { type: "final" };
const task = (onDone: unknown, more: object = {}) => ({ invoke: { src: "task.pure", onDone, ...more } });
const guard = { type: "condition", params: { key: "$.trigger.n", operator: ">", value: 1 } };

/** Valid definitions that between them use everything the format has; what is malformed is made from them. */
export const BASE_DEFINITIONS: Readonly<Record<string, JsonObject>> = asJson({
  line: {
    id: "line",
    name: "Line",
    initial: "a",
    context: { n: 0 },
    payloadSchema: { type: "object", properties: { n: { type: "integer" } } },
    outputSchema: { type: "object", properties: { n: { type: "number" } } },
    maxSteps: 100,
    timeoutMs: 60_000,
    agentConfig: { model: "fast", temperature: 0.5 },
    memoryConfig: { enabled: true, scope: "agent", topK: 5 },
    meta: { source: { kept: [1, 2] } },
    states: {
      a: {
        label: "First",
        invoke: {
          src: "task.pure",
          input: { text: "n is {{ $.trigger.n }}", n: "$.n", sum: { $cel: "ctx.n + 1" }, raw: { $literal: "$.x" } },
          timeoutMs: 1_000,
          retry: { maxAttempts: 2, backoff: "fixed", initialMs: 10, maxMs: 20 },
          onDone: [{ target: "b", guard, actions: [{ type: "assign", params: { path: "$.n", add: 1 } }] }, "c"],
          onError: { target: "broken", description: "when it fails" },
        },
      },
      b: task("c"),
      c: task("done", { input: { text: "$.b_output.text | default(null)" } }),
      broken: { type: "final", outcome: "failed", output: "$.a_error" },
      done: { type: "final", outcome: "good", output: { n: "$.n" } },
    },
  },
  groups: {
    initial: "group",
    on: { stop: "done" },
    states: {
      group: {
        type: "compound",
        initial: "one",
        entry: [{ type: "log", params: { level: "info", message: "in {{ $.execution.id }}" } }],
        exit: [{ type: "emit", params: { event: "left", payload: { n: 1 } } }],
        on: { "orders.*": { target: "group_h", reenter: true }, quiet: { actions: [] } },
        after: { PT5M: "done", 1000: [{ target: "two", guard: { type: "not", guard } }] },
        onDone: "done",
        onError: "done",
        states: {
          one: task("two"),
          two: { always: [{ target: "inner_done", guard: { type: "any", guards: [guard] } }, { target: "three" }] },
          three: { on: { go: "inner_done" } },
          inner_done: { type: "final", output: { ok: true } },
          group_h: { type: "history", history: "deep", target: "two" },
        },
      },
      done,
    },
  },
  regions: {
    initial: "both",
    states: {
      both: {
        type: "parallel",
        onDone: { target: "done", actions: [{ type: "assign", params: { path: "$.all", value: "$.both_output" } }] },
        states: {
          left: { initial: "l1", states: { l1: task("l_end"), l_end: done } },
          right: { initial: "r1", states: { r1: task("r_end"), r_end: done } },
        },
      },
      done,
    },
  },
  loops: {
    initial: "each",
    context: { list: [1, 2, 3], log: [] },
    states: {
      each: {
        loop: {
          type: "forEach",
          collection: "$.list",
          itemVariable: "it",
          indexVariable: "at",
          maxIterations: 10,
          continueOnError: true,
          onLimit: "continue",
          bodyInitial: "work",
          bodyStates: {
            work: {
              entry: [{ type: "assign", params: { path: "$.log", append: "$.it", keep: 5 } }],
              ...task("work_end", { input: { it: "$.it", at: "$.at" } }),
            },
            work_end: { type: "final", output: "$.work_output" },
          },
          onDone: "again",
          onError: "done",
        },
      },
      again: {
        loop: {
          type: "while",
          condition: { type: "cel", params: { expression: "index < 2 && size(ctx.list) > 0" } },
          bodyInitial: "more",
          bodyStates: { more: task("more_end"), more_end: done },
          onDone: "done",
        },
      },
      done,
    },
  },
  people: {
    initial: "ask",
    mcpExport: true,
    streamingEnabled: false,
    states: {
      ask: {
        invoke: {
          src: "review.at-least-once",
          onDone: [
            {
              target: "pair",
              guard: {
                type: "all",
                guards: [
                  guard,
                  { type: "condition", params: { key: "$.ask_output.action", operator: "in", value: ["a"] } },
                ],
              },
            },
            { target: "listen" },
          ],
        },
      },
      pair: { invoke: { src: "pair.idempotent", input: { visit: 1 }, onDone: "listen", timeoutMs: 5_000 } },
      listen: { invoke: { src: "listen.pure", onDone: "items" } },
      items: { invoke: { src: "items.at-most-once", onDone: "done", onError: "done" } },
      done: { type: "final", output: "$.items_output" },
    },
  },
  all: {
    type: "parallel",
    states: {
      one: { initial: "x", states: { x: task("x_end"), x_end: { type: "final", output: 1 } } },
      two: { initial: "y", states: { y: { after: { PT1S: "y_end" } }, y_end: done } },
    },
  },
});

function asJson(value: object): Record<string, JsonObject> {
  return JSON.parse(JSON.stringify(value)) as Record<string, JsonObject>; // cast: written above
}
