import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import type { ExecutionStore } from "../store.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";

const echo: ScriptedNode = {
  run: ({ input }) => ({
    type: "done",
    output: input as JsonObject,
    patch: [{ op: "add", path: "/messages/-", value: { role: "user", content: "x" } }],
  }),
};
const tools: ScriptedNode = {
  run: () => ({
    type: "wait",
    for: "items",
    request: {
      concurrency: 2,
      items: [
        { key: "a", input: 1 },
        { key: "b", input: 2 },
      ],
    },
  }),
  runItem: (_call, { key, input }) => ({ type: "done", output: { key, input } }),
  resume: (_call, signal) => ({
    type: "done",
    output: { items: signal.type === "items" ? signal.items.map(({ output }) => output) : [] },
  }),
};
const review: ScriptedNode = {
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
      actions: ["approve", "reject"],
      dueAt: null,
    },
  }),
  resume: (_call, signal) => ({ type: "done", output: { action: signal.type === "decision" ? signal.action : "" } }),
};
const definition = {
  initial: "a",
  context: { n: 0 },
  states: {
    a: {
      invoke: {
        src: "echo",
        input: { t: "one" },
        onDone: { target: "t", actions: [{ type: "assign", params: { path: "$.n", add: 1 } }] },
      },
    },
    t: { invoke: { src: "tools", onDone: "r" } },
    r: { invoke: { src: "review", onDone: "z" } },
    z: { invoke: { src: "echo", input: { t: "$.t_output.items", n: "$.n" }, onDone: "done" } },
    done: { type: "final", output: { t: "$.z_output.t", n: "$.z_output.n" } },
  },
};

class Crash extends Error {}

/** Stops the process at its k-th write: before the write reached the store, or after, when only the answer is lost. */
function crashing(store: ExecutionStore, at: number, when: "before" | "after"): ExecutionStore {
  let writes = 0;
  return new Proxy(store, {
    get(target, key) {
      if (key === "commit") {
        return async (commit: Parameters<ExecutionStore["commit"]>[0]) => {
          writes += 1;
          if (writes === at && when === "before") throw new Crash();
          const done = await target.commit(commit);
          if (writes === at) throw new Crash();
          return done;
        };
      }
      const member: unknown = Reflect.get(target, key);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

async function finish(harness: EngineHarness, id: number): Promise<void> {
  await harness.engine.advance(id);
  for (const review of harness.store.reviews.values())
    if (review.status === "open") await harness.decide(review.id, "approve");
}

describe("a process that dies at any commit", () => {
  for (const when of ["before", "after"] as const) {
    it(`(${when} it reached the store): the run ends the same, and no node with a recorded outcome runs again`, async () => {
      let crashes = 0;
      for (let at = 1; at < 40; at += 1) {
        const harness = new EngineHarness(definition, { echo, tools, review });
        const id = await harness.create();
        harness.restart(crashing(harness.store, at, when));
        const crashed = await finish(harness, id).then(
          () => false,
          (error: unknown) => {
            if (error instanceof Crash) return true;
            throw error;
          },
        );
        const recorded = harness.store
          .run(id)
          .rows.filter(({ status }) => status === "completed")
          .map(({ nodeId, visit, item }) => `${nodeId}#${visit}${item === null ? "" : `/${item}`}`);
        const before = harness.nodes.calls.length;
        harness.restart();
        await harness.store.voidLeases();
        await finish(harness, id);
        expect(harness.columns(id), `crash at commit ${at}`).toMatchObject({
          status: "completed",
          output: {
            t: [
              { key: "a", input: 1 },
              { key: "b", input: 2 },
            ],
            n: 1,
          },
        });
        for (const again of harness.nodes.calls.slice(before))
          expect(recorded, `crash at commit ${at}`).not.toContain(again.replace(/^\w+ /, ""));
        expect((await harness.context(id)).values.messages).toHaveLength(2);
        const { events } = harness.store.run(id);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
        if (!crashed) break;
        crashes += 1;
      }
      expect(crashes).toBeGreaterThan(6);
    });
  }
});

/** The other constructs: at whatever write the process dies, the run ends as it does undisturbed. */
describe("a process that dies at any commit of a run with", () => {
  const wait: ScriptedNode = {
    run: ({ input }) => ({
      type: "wait",
      for: "event",
      request: { event: "go", correlation: null, dueAt: null, ...(input as object) },
    }),
    resume: (_call, signal) => ({ type: "done", output: { got: signal.type === "event" ? signal.payload : null } }),
  };
  const step = (onDone: string) => ({ invoke: { src: "echo", input: { t: "$.trigger.t" }, onDone } });
  const add = (path: string) => ({ type: "assign", params: { path, add: 1 } });
  const cases: Record<string, { definition: object; drive: (harness: EngineHarness, id: number) => Promise<void> }> = {
    "events and timers": {
      definition: {
        initial: "a",
        context: { n: 0 },
        states: {
          a: { invoke: { src: "echo", input: { t: 1 }, onDone: "hold" } },
          hold: {
            on: {
              paid: {
                target: "b",
                actions: [{ type: "assign", params: { path: "$.paid", value: "$.event.payload" } }],
              },
            },
          },
          b: { after: { PT1M: { target: "c", actions: [add("$.n")] } } },
          c: { invoke: { src: "echo", input: { t: "$.paid" }, onDone: "done" } },
          done: { type: "final", output: { paid: "$.c_output.t", n: "$.n" } },
        },
      },
      async drive(harness, id) {
        await harness.engine.advance(id);
        if (harness.columns(id).currentState === "hold") await harness.send(id, "paid", 7);
        await harness.elapse(60_000);
      },
    },
    history: {
      definition: {
        initial: "g",
        context: { n: 0 },
        states: {
          g: {
            initial: "one",
            on: { away: "away" },
            onDone: "done",
            states: {
              one: step("two"),
              two: { on: { go: "three" } },
              three: step("e"),
              e: { type: "final" },
              back: { type: "history" },
            },
          },
          away: { on: { resume: "back" }, exit: [add("$.n")] },
          done: { type: "final", output: { n: "$.n", t: "$.three_output.t" } },
        },
      },
      async drive(harness, id) {
        await harness.engine.advance(id);
        const { values } = await harness.context(id);
        if (harness.columns(id).currentState === "two" && values.n === 0) await harness.send(id, "away");
        if (harness.columns(id).currentState === "away") await harness.send(id, "resume");
        if (harness.columns(id).currentState === "two") await harness.send(id, "go");
      },
    },
    loops: {
      definition: {
        initial: "each",
        context: { n: 0 },
        states: {
          each: {
            loop: {
              type: "forEach",
              collection: ["x", "y"],
              bodyInitial: "b1",
              bodyStates: {
                b1: {
                  invoke: { src: "echo", input: { t: "$.item" }, onDone: { target: "more", actions: [add("$.n")] } },
                },
                more: {
                  loop: {
                    type: "while",
                    condition: { type: "cel", params: { expression: "index < 2" } },
                    bodyInitial: "c1",
                    bodyStates: {
                      c1: { invoke: { src: "echo", input: { t: "$.index" }, onDone: "c2" } },
                      c2: { type: "final", output: "$.c1_output.t" },
                    },
                    onDone: "b2",
                  },
                },
                b2: { type: "final", output: ["$.b1_output.t", "$.more_output.count"] },
              },
              onDone: "r",
            },
          },
          r: { invoke: { src: "wait", onDone: "done" } },
          done: { type: "final", output: { items: "$.each_output.items", n: "$.n", got: "$.r_output.got" } },
        },
      },
      async drive(harness, id) {
        await harness.engine.advance(id);
        if (harness.columns(id).currentState === "r") await harness.send(id, "go", "ok");
      },
    },
  };

  for (const [name, { definition: given, drive }] of Object.entries(cases)) {
    it(`${name}: the end is the same, and no node with a recorded outcome runs again`, async () => {
      const undisturbed = new EngineHarness(given, { echo, wait });
      const first = await undisturbed.create({ t: 5 });
      await drive(undisturbed, first);
      const expected = undisturbed.columns(first);
      expect(expected.status).toBe("completed");
      let crashes = 0;
      for (const when of ["before", "after"] as const) {
        for (let at = 1; at < 60; at += 1) {
          const harness = new EngineHarness(given, { echo, wait });
          const id = await harness.create({ t: 5 });
          harness.restart(crashing(harness.store, at, when));
          const crashed = await drive(harness, id).then(
            () => false,
            (error: unknown) => {
              if (error instanceof Crash) return true;
              throw error;
            },
          );
          const recorded = harness.store
            .run(id)
            .rows.flatMap(({ nodeId, visit, status }) => (status === "completed" ? [`${nodeId}#${visit}`] : []));
          const before = harness.nodes.calls.length;
          harness.restart();
          await harness.store.voidLeases();
          await drive(harness, id);
          const { status, output } = harness.columns(id);
          expect({ status, output }, `crash ${when} commit ${at}`).toEqual({
            status: "completed",
            output: expected.output,
          });
          for (const again of harness.nodes.calls.slice(before))
            expect(recorded, `crash ${when} commit ${at}`).not.toContain(again.replace(/^\w+ /, ""));
          if (!crashed) break;
          crashes += 1;
        }
      }
      expect(crashes).toBeGreaterThan(6);
    });
  }
});

describe("an at-most-once node that was started when its worker died", () => {
  const once: ScriptedNode = { effect: "at-most-once", run: () => ({ type: "done", output: { charged: true } }) };
  const one = {
    initial: "pay",
    states: {
      pay: { invoke: { src: "once", onDone: "done", onError: "failed" } },
      done: { type: "final", output: "$.pay_output" },
      failed: { type: "final", outcome: "failed" },
    },
  };

  async function lose(at: number): Promise<{ harness: EngineHarness; id: number }> {
    const harness = new EngineHarness(one, { once });
    const id = await harness.create();
    await expect(harness.restart(crashing(harness.store, at, "before")).advance(id)).rejects.toBeInstanceOf(Crash);
    harness.restart();
    await harness.store.voidLeases();
    await harness.engine.advance(id);
    return { harness, id };
  }

  it("waits for a person instead of running again", async () => {
    const { harness, id } = await lose(3);
    expect(harness.nodes.calls).toEqual(["run pay#1"]);
    expect(harness.columns(id)).toMatchObject({ status: "paused" });
    expect(harness.rows(id)).toEqual(["pay#1 paused"]);
    expect(harness.store.reviews.get(1)?.open.request.actions).toEqual(["rerun", "supply", "fail"]);
  });

  it("runs when its start was not recorded yet", async () => {
    const { harness, id } = await lose(2);
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { charged: true } });
    expect(harness.nodes.calls).toEqual(["run pay#1"]);
  });

  it("is run again, given its output, or failed, as the person says", async () => {
    const rerun = await lose(3);
    await rerun.harness.decide(1, "rerun");
    expect(rerun.harness.columns(rerun.id)).toMatchObject({ status: "completed", output: { charged: true } });
    expect(rerun.harness.nodes.calls).toEqual(["run pay#1", "run pay#1"]);
    const supply = await lose(3);
    await supply.harness.decide(1, "supply", { charged: "by hand" });
    expect(supply.harness.columns(supply.id)).toMatchObject({ status: "completed", output: { charged: "by hand" } });
    expect(supply.harness.nodes.calls).toEqual(["run pay#1"]);
    const fail = await lose(3);
    await fail.harness.decide(1, "fail", null, "refunded by phone");
    expect(fail.harness.columns(fail.id)).toMatchObject({ status: "failed", errorInfo: { code: "NODE_LOST" } });
  });
});

describe("two workers on one run", () => {
  it("a stale worker's write changes nothing", async () => {
    const gates: (() => void)[] = [];
    const slow: ScriptedNode = {
      run: ({ node }) =>
        new Promise((resolve) => gates.push(() => resolve({ type: "done", output: { attempt: node.attempt } }))),
    };
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: { invoke: { src: "slow", onDone: "done" } },
          done: { type: "final", output: "$.a_output.attempt" },
        },
      },
      { slow },
    );
    const id = await harness.create();
    const stale = harness.engine.advance(id);
    await harness.clock.advance(0);
    await harness.store.voidLeases();
    const fresh = harness.restart().advance(id);
    await harness.clock.advance(0);
    expect(gates).toHaveLength(2);
    gates[0]?.();
    await stale;
    expect(harness.columns(id).status).toBe("running");
    gates[1]?.();
    await fresh;
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: 2 });
  });

  it("a worker that is stopped finishes its call, starts no more, and another goes on without a repeat", async () => {
    const gates: (() => void)[] = [];
    const slow: ScriptedNode = {
      run: () => new Promise((resolve) => gates.push(() => resolve({ type: "done", output: {} }))),
    };
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: { invoke: { src: "slow", onDone: "b" } },
          b: { invoke: { src: "slow", onDone: "done" } },
          done: { type: "final" },
        },
      },
      { slow },
    );
    const id = await harness.create();
    const first = harness.engine;
    const work = first.advance(id);
    await harness.clock.advance(0);
    const stopped = first.stop();
    gates[0]?.();
    await Promise.all([work, stopped]);
    expect(harness.nodes.calls).toEqual(["run a#1"]);
    expect(harness.store.run(id).lease).toBeNull();
    expect(await harness.store.stuckRuns(new Date(harness.clock.now()).toISOString(), 10)).toEqual([id]);
    const next = harness.restart().advance(id);
    await harness.clock.advance(0);
    gates[1]?.();
    await next;
    expect(harness.nodes.calls).toEqual(["run a#1", "run b#1"]);
    expect(harness.store.run(id).rows[1]).toMatchObject({ nodeId: "b", attempt: 1 });
  });
});
