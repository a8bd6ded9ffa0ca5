import { type JsonObject, OvenError } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { compileDefinition } from "../compile/compile-definition.ts";
import { RunBases } from "../run/run-base.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import { everything, NODES, node, recordEverything } from "../testing/everything.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { movesOf, replay } from "./replay.ts";
import { retryPoint, takeOver } from "./take-over.ts";

async function load(harness: EngineHarness, id: number, definition: object = everything) {
  const run = await harness.store.read(id);
  if (!run) throw new Error("gone");
  const history = await harness.store.history(id, run.seq);
  const { facts, context } = await new RunBases(harness.store, harness.source).of(run);
  return { run, history, facts, context, compiled: compileDefinition(definition as never, harness.nodes) };
}

describe("a recorded run", () => {
  it("gone through again gives the same states and context at every checkpoint", async () => {
    const { harness, id } = await recordEverything();
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
    const { harness, id } = await recordEverything();
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
      { ask: NODES.ask },
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
