import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";

const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as JsonObject }) };
const pay: ScriptedNode = {
  effect: "at-most-once",
  run: ({ emit }) => {
    emit("orders.paid", {});
    return { type: "done", output: { paid: true } };
  },
};
const ask: ScriptedNode = {
  run: () => ({
    type: "wait",
    for: "review",
    request: {
      title: "?",
      proposal: { text: "as shown" },
      schema: null,
      context: null,
      tool: null,
      assignees: [],
      actions: ["approve", "reject"],
      dueAt: null,
    },
  }),
  resume: (_call, signal) => ({ type: "done", output: { ...(signal as unknown as JsonObject) } }),
};
const pair: ScriptedNode = {
  expand: () => ({
    initial: "one",
    states: { one: { invoke: { src: "echo", input: { x: 1 }, onDone: "end" } }, end: { type: "final" } },
    output: { both: true },
  }),
};
const NODES = { echo, pay, ask, pair };
const definition = {
  initial: "a",
  states: {
    a: { invoke: { src: "echo", input: { v: "from a" }, onDone: "around" } },
    around: { initial: "b", states: { b: { invoke: { src: "pay", onDone: "c" } } } },
    c: { invoke: { src: "pair", onDone: "d" } },
    d: {
      loop: {
        type: "forEach",
        collection: [1, 2],
        concurrency: 2,
        bodyInitial: "e",
        bodyStates: {
          e: { invoke: { src: "echo", input: { n: "$.item" }, onDone: "f" } },
          f: { type: "final", output: "$.e_output" },
        },
        onDone: "review",
      },
    },
    review: { invoke: { src: "ask", onDone: "done" } },
    done: {
      type: "final",
      output: {
        a: '$.a_output.v | default("not run")',
        paid: "$.b_output.paid",
        d: "$.d_output.items",
        r: "$.review_output.data",
      },
    },
  },
};

describe("a run of a part of a graph", () => {
  it("ends after the step it was asked for, with that step's output", async () => {
    for (const [until, output, calls] of [
      ["a", { v: "from a" }, ["run a#1"]],
      ["c", { both: true }, ["run a#1", "run b#1", "run c.one#1"]],
      ["d", { count: 2 }, ["run a#1", "run b#1", "run c.one#1", "run e#1", "run e#1"]],
    ] as const) {
      const harness = new EngineHarness(definition, NODES);
      const id = await harness.execute({}, { until });
      expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "partial", output });
      expect(harness.nodes.calls).toEqual(calls);
    }
  });

  it("begins at a state, with what the steps before would have given pinned", async () => {
    const harness = new EngineHarness(definition, NODES);
    const id = await harness.execute({}, { from: "b", until: "c", pins: { b: { paid: "pinned" } } });
    expect(harness.nodes.calls).toEqual(["run c.one#1"]);
    expect(harness.rows(id)).toEqual(["b#1 completed", "c#1 completed", "c.one#1 completed"]);
    expect((await harness.context(id)).values.b_output).toEqual({ paid: "pinned" });
  });

  it("takes pinned outputs of composites, loops and steps in a loop's body instead of calling anything", async () => {
    const whole = new EngineHarness(definition, NODES);
    await whole.execute({}, { until: "d", pins: { c: { both: "pinned" }, d: { count: 7 } } });
    expect(whole.columns(1).output).toEqual({ count: 7 });
    expect(whole.nodes.calls).toEqual(["run a#1", "run b#1"]);
    const inside = new EngineHarness(definition, NODES);
    await inside.execute({}, { until: "d", pins: { e: { n: "pinned" } } });
    expect(inside.columns(1).output).toMatchObject({
      items: [{ output: { n: "pinned" } }, { output: { n: "pinned" } }],
    });
    expect(inside.nodes.calls).not.toContain("run e#1");
  });

  it("fails clearly where a state is not there, or in the body of a loop", async () => {
    for (const options of [{ from: "nope" }, { until: "nope" }, { pins: { nope: 1 } }, { from: "e" }]) {
      const harness = new EngineHarness(definition, NODES);
      const id = await harness.execute({}, options);
      expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "STATE_UNKNOWN" } });
    }
  });
});

describe("a dry run", () => {
  it("calls what is pure, answers for the rest, asks nobody and tells nobody", async () => {
    const harness = new EngineHarness(definition, { ...NODES, pay: { ...pay } });
    harness.nodes.examples.pay = { paid: "an example" };
    const id = await harness.execute({}, { dryRun: true });
    expect(harness.columns(id)).toMatchObject({
      status: "completed",
      output: { a: "from a", paid: "an example", r: { text: "as shown" } },
    });
    expect(harness.nodes.calls).not.toContain("run b#1");
    expect(harness.store.reviews.size).toBe(0);
    expect([...harness.store.runs.values()].flatMap(({ outbox }) => outbox)).toEqual([]);
    expect([...harness.store.runs.values()].map(({ options }) => options?.dryRun)).toEqual([true, true, true]);
  });

  it("answers as a recorded run did, where one is given", async () => {
    const harness = new EngineHarness(definition, NODES);
    const recorded = await harness.execute();
    await harness.decide(1, "reject", { text: "edited" });
    const before = harness.nodes.calls.length;
    const id = await harness.execute({}, { dryRun: true, recordingOf: recorded });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { paid: true, r: { text: "edited" } } });
    expect(harness.nodes.calls.slice(before)).not.toContain("run b#1");
  });
});
