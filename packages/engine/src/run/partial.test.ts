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
  it("runs one item of a loop alone, up to a step of its body", async () => {
    for (const [index, n] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const harness = new EngineHarness(definition, NODES);
      const id = await harness.execute({}, { until: "e", items: { d: index } });
      expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "partial", output: { n } });
      expect(harness.nodes.calls.filter((call) => call.startsWith("run e"))).toEqual(["run e#1"]);
    }
    const harness = new EngineHarness(definition, NODES);
    const id = await harness.execute({}, { until: "e", items: { d: 2 } });
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      errorInfo: { code: "INPUT_INVALID", message: "d: The loop d has 2 items, none with the index 2" },
    });
    expect(harness.nodes.calls.filter((call) => call.startsWith("run e"))).toEqual([]);
  });

  it.each([
    ["without a step to end after", { items: { d: 0 } }],
    ["that is not around the step", { until: "a", items: { d: 0 } }],
    ["that is no loop", { until: "b", items: { around: 0 } }],
  ])("refuses an item of a loop %s", async (_, options) => {
    const harness = new EngineHarness(definition, NODES);
    const id = await harness.execute({}, options);
    expect(harness.columns(id).errorInfo).toMatchObject({
      code: "STATE_UNKNOWN",
      message: expect.stringContaining("is no loop around the state that the run ends after"),
    });
    expect(harness.nodes.calls).toEqual([]);
  });

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

  it("ends and begins inside groups, regions and the passes of a loop that run one by one", async () => {
    const region = (first: string, second: string) => ({
      initial: first,
      states: {
        [first]: { invoke: { src: "echo", input: { at: first }, onDone: second } },
        [second]: { invoke: { src: "echo", input: { at: second }, onDone: `${second}_end` } },
        [`${second}_end`]: { type: "final" },
      },
    });
    const nested = {
      initial: "both",
      states: {
        both: { type: "parallel", states: { left: region("l1", "l2"), right: region("r1", "r2") }, onDone: "passes" },
        passes: {
          loop: {
            type: "forEach",
            collection: [1, 2],
            bodyInitial: "p",
            bodyStates: { p: { invoke: { src: "echo", input: { n: "$.item" }, onDone: "q" } }, q: { type: "final" } },
            onDone: "done",
          },
        },
        done: { type: "final" },
      },
    };
    const run = async (options: object) => {
      const harness = new EngineHarness(nested, NODES);
      const id = await harness.execute({}, options);
      expect(harness.columns(id)).toMatchObject({ status: "completed" });
      return { ...harness.columns(id), calls: harness.nodes.calls };
    };
    expect(await run({ until: "l1" })).toMatchObject({ outcome: "partial", output: { at: "l1" } });
    const beside = await run({ from: "l2", until: "l2" });
    expect(beside).toMatchObject({ outcome: "partial", output: { at: "l2" } });
    expect(beside.calls).not.toContain("run l1#1");
    const pass = await run({ until: "p" });
    expect(pass).toMatchObject({ outcome: "partial", output: { n: 1 } });
    expect(pass.calls.filter((call) => call.startsWith("run p"))).toHaveLength(1);
  });

  it("says why a run cannot begin or end at a state: it is not there, has no node, or is in a run of its own", async () => {
    const reasons: Record<string, string> = {
      from: "in the body of a loop",
      until: "passes are runs of their own",
      around: "no node works there",
      done: "no node works there",
    };
    for (const [options, reason] of [
      [{ from: "e" }, reasons.from],
      [{ until: "e" }, reasons.until],
      [{ until: "around" }, reasons.around],
      [{ until: "done" }, reasons.done],
    ] as const) {
      const harness = new EngineHarness(definition, NODES);
      const id = await harness.execute({}, options);
      expect(harness.columns(id).errorInfo).toMatchObject({
        code: "STATE_UNKNOWN",
        message: expect.stringContaining(reason ?? ""),
      });
      expect(harness.nodes.calls).toEqual([]);
    }
    for (const options of [{ from: "nope" }, { until: "nope" }, { pins: { nope: 1 } }]) {
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
