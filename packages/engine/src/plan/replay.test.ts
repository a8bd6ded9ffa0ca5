import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { compileDefinition } from "../compile/compile-definition.ts";
import { RunBases } from "../run/run-base.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { movesOf, replay } from "./replay.ts";
import { retryPoint, takeOver } from "./take-over.ts";

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
const NODES = { step, flaky, ask, sleep, items, refund, fail };
const node = (src: string, onDone: unknown, more: object = {}) => ({ invoke: { src, onDone, ...more } });

/** One run that goes through everything a log can hold. */
const everything = {
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

async function record(): Promise<{ harness: EngineHarness; id: number }> {
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

async function load(harness: EngineHarness, id: number, definition: object = everything) {
  const run = await harness.store.read(id);
  if (!run) throw new Error("gone");
  const history = await harness.store.history(id, run.seq);
  const { facts, context } = await new RunBases(harness.store, harness.source).of(run);
  return { run, history, facts, context, compiled: compileDefinition(definition as never, harness.nodes) };
}

describe("a recorded run", () => {
  it("gone through again gives the same states and context at every checkpoint", async () => {
    const { harness, id } = await record();
    const { run, history, facts, context, compiled } = await load(harness, id);
    const moves = movesOf(history.entries);
    expect(moves.map(({ cause }) => cause.t)).toEqual(
      expect.arrayContaining(["start", "done", "failed", "wait", "clock", "signal", "starting"]),
    );
    expect(moves.at(-1)?.seq).toBe(run.seq);
    for (const { seq } of moves) {
      const there = replay(compiled, facts, context, history, seq);
      expect(there.move.seq).toBe(seq);
      expect(there.snapshot.context.values).toEqual((await harness.context(id, seq)).values);
    }
    const { plan, snapshot } = replay(compiled, facts, context, history);
    expect(plan.end).toMatchObject({ status: "completed", output: harness.columns(id).output });
    const { patchBytes: _, wakeAt: __, ...state } = snapshot.state;
    const { patchBytes: ___, wakeAt: ____, snapshotBytes: _____, ...stored } = run.state ?? ({} as never);
    expect(state).toMatchObject({ ...stored });
  });

  it("is refused where the definition decides otherwise, naming the entry", async () => {
    const { harness, id } = await record();
    const { history, facts, context } = await load(harness, id);
    const changed = structuredClone(everything);
    changed.states.flaky.invoke.onDone = "refund";
    const other = compileDefinition(changed as never, harness.nodes);
    expect(() => replay(other, facts, context, history)).toThrow(expect.objectContaining({ code: "REPLAY_DIVERGED" }));
    expect(() => replay(other, facts, context, { ...history, entries: [] })).toThrow(
      expect.objectContaining({ code: "CHECKPOINTS_MISSING" }),
    );
  });

  it("keeps no causes where checkpoints are off", async () => {
    const harness = new EngineHarness(everything, NODES);
    const compiled = compileDefinition(everything as never, harness.nodes, { checkpoints: false });
    harness.source.load = async () => ({ compiled, workflowName: "Test" });
    const id = await harness.execute({});
    expect((await harness.store.history(id, 1_000)).entries.every(({ cause }) => cause === null)).toBe(true);
  });
});

describe("a run that takes another one over", () => {
  const chain = {
    initial: "a",
    context: { total: 0 },
    states: {
      a: node("pay", {
        target: "b",
        actions: [{ type: "assign", params: { path: "$.total", add: "$.a_output.amount" } }],
      }),
      b: node("shaky", "done", { input: { total: "$.total" } }),
      done: { type: "final", output: { total: "$.total", b: "$.b_output.total" } },
    },
  };
  let broken = true;
  const shaky: ScriptedNode = {
    run: ({ input }) => {
      if (broken) throw new OvenError("BROKEN", "not now");
      return { type: "done", output: input as JsonObject };
    },
  };
  const pay: ScriptedNode = { effect: "at-most-once", run: () => ({ type: "done", output: { amount: 5 } }) };

  async function follow(
    harness: EngineHarness,
    id: number,
    options: { checkpoint?: number; nodeId?: string; patch?: never[] } = {},
  ) {
    const run = await harness.store.read(id);
    if (!run) throw new Error("gone");
    const history = await harness.store.history(id, run.seq);
    const { facts, context } = await new RunBases(harness.store, harness.source).of(run);
    const { compiled } = await harness.source.load(run);
    const point =
      options.checkpoint === undefined
        ? retryPoint(history, options.nodeId)
        : { seq: options.checkpoint, redo: undefined };
    const there = replay(compiled, facts, context, history, point.seq);
    const { seed } = takeOver(there, history, compiled, compiled, { patch: options.patch ?? [], redo: point.redo });
    const { kind, workflowId, workflowVersion, tenantId, input, principal } = run;
    const next = await harness.store.create({
      kind,
      workflowId,
      workflowVersion,
      tenantId,
      input,
      principal,
      retryOf: id,
      originSeq: there.move.seq,
      seed,
    });
    await harness.advance(next);
    return next;
  }

  it("repeats what failed and nothing else", async () => {
    broken = true;
    const harness = new EngineHarness(chain, { pay, shaky });
    const id = await harness.execute();
    expect(harness.columns(id).status).toBe("failed");
    broken = false;
    const next = await follow(harness, id);
    expect(harness.columns(next)).toMatchObject({ status: "completed", output: { total: 5, b: 5 }, steps: 1 });
    expect(harness.nodes.calls).toEqual(["run a#1", "run b#1", "run b#1"]);
    expect(harness.rows(next)).toEqual(["b#1 completed"]);
    expect((await harness.context(next)).values.a_output).toEqual({ amount: 5 });
  });

  it("begins at any checkpoint with a patched context, and can be taken over itself", async () => {
    broken = false;
    const harness = new EngineHarness(chain, { pay, shaky });
    const id = await harness.execute();
    const fork = await follow(harness, id, {
      nodeId: "b",
      patch: [{ op: "replace", path: "/total", value: 7 }] as never,
    });
    expect(harness.columns(fork).output).toEqual({ total: 7, b: 7 });
    const again = await follow(harness, fork, { nodeId: "b" });
    expect(harness.columns(again).output).toEqual({ total: 7, b: 7 });
    expect(harness.nodes.calls.filter((call) => call === "run a#1")).toHaveLength(1);
    expect(() => retryPoint({ entries: [], rows: [], signals: [] }, "nope")).toThrow(
      expect.objectContaining({ code: "NODE_NOT_RUN" }),
    );
  });

  it("runs only those items of a fan-out again that had not completed", async () => {
    broken = true;
    const work: ScriptedNode = {
      run: ({ input }) => {
        if (broken && (input as { n: number }).n === 2) throw new OvenError("BROKEN", "two");
        return { type: "done", output: input as JsonObject };
      },
    };
    const fan = (continueOnError: boolean) => ({
      initial: "fan",
      states: {
        fan: {
          loop: {
            type: "forEach",
            collection: [1, 2, 3, 4],
            concurrency: 2,
            continueOnError,
            bodyInitial: "work",
            bodyStates: {
              work: node("work", "out", { input: { n: "$.item" } }),
              out: { type: "final", output: "$.work_output.n" },
            },
            onDone: "done",
          },
        },
        done: { type: "final", output: "$.fan_output" },
      },
    });
    for (const continueOnError of [true, false]) {
      broken = true;
      const harness = new EngineHarness(fan(continueOnError), { work });
      const id = await harness.execute();
      expect(harness.columns(id).status).toBe(continueOnError ? "completed" : "failed");
      const before = harness.nodes.calls.length;
      const finished = harness.rows(id).filter((row) => /^fan#1\/\d completed/.test(row)).length;
      broken = false;
      const next = await follow(harness, id, { nodeId: "fan" });
      expect(harness.columns(next)).toMatchObject({ status: "completed", output: { count: 4, failed: 0 } });
      expect(
        (harness.columns(next).output as { items: { index: number; output: number }[] }).items.map(
          ({ output }) => output,
        ),
      ).toEqual([1, 2, 3, 4]);
      expect(harness.nodes.calls.length - before).toBe(4 - finished);
    }
  });

  it("asks again what a person was asked", async () => {
    const harness = new EngineHarness(
      { initial: "r", states: { r: node("ask", "done"), done: { type: "final", output: "$.r_output.action" } } },
      { ask },
    );
    const id = await harness.execute();
    const next = await follow(harness, id, { checkpoint: 1_000 });
    expect(harness.columns(next).status).toBe("paused");
    await harness.decide(2, "approve");
    expect(harness.columns(next)).toMatchObject({ status: "completed", output: "approve" });
    expect(harness.columns(id).status).toBe("paused");
  });

  it("goes on with another version where it has the place the run stands at, and says where not", async () => {
    broken = true;
    const harness = new EngineHarness(chain, { pay, shaky });
    const id = await harness.execute();
    const { history, facts, context, compiled } = await load(harness, id, chain);
    const there = replay(compiled, facts, context, history, retryPoint(history).seq);
    const report = (change: (definition: typeof chain) => void) => {
      const changed = structuredClone(chain);
      change(changed);
      return takeOver(there, history, compiled, compileDefinition(changed as never, harness.nodes)).report;
    };
    expect(
      report((next) => {
        next.states.b.invoke.src = "pay";
      }),
    ).toEqual({
      compatible: true,
      problems: [],
      changed: [],
    });
    expect(
      report((next) => {
        next.states.a.invoke.src = "shaky";
      }),
    ).toEqual({
      compatible: true,
      problems: [],
      changed: ["a"],
    });
    const { b: _, ...without } = chain.states;
    expect(
      report((next) => {
        next.states = without as never;
        next.states.a.invoke.onDone = "done" as never;
      }),
    ).toMatchObject({
      compatible: false,
      problems: [{ stateId: "b" }],
    });
  });

  it("gives timers what was left of them", async () => {
    const harness = new EngineHarness(
      {
        initial: "w",
        states: { w: { after: { PT10S: "done" }, on: { note: { actions: [] } } }, done: { type: "final" } },
      },
      {},
    );
    const id = await harness.execute();
    await harness.clock.advance(4_000);
    await harness.send(id, "note");
    await harness.clock.advance(1_000_000);
    const next = await follow(harness, id, { checkpoint: 1_000 });
    const [timer] = harness.store.run(next).state?.timers ?? [];
    expect((timer?.at ?? 0) - harness.clock.now()).toBe(6_000);
  });
});
