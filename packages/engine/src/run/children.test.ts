import { OvenError } from "@oven/contract";
import type { NodeSignal } from "@oven/contract/node";
import type { ErrorInfo } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";

const TIMES_TEN: ScriptedNode = {
  run: ({ input }) => {
    const { n } = input as { n: number };
    if (n < 0) throw new OvenError("NEGATIVE", `${n} is negative`);
    return {
      type: "done",
      output: { n: n * 10 },
      spend: { tokenUsage: { input: n, output: 0, total: n }, costMicros: 7 },
    };
  },
};
const ASK: ScriptedNode = {
  run: ({ input }) => ({
    type: "wait",
    for: "review",
    request: {
      title: "May it?",
      proposal: input as never,
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
const CALL: ScriptedNode = {
  run: ({ input }) => {
    const {
      workflow,
      give,
      dueAt = null,
    } = input as { workflow: number; give: Record<string, never>; dueAt?: string | null };
    return {
      type: "wait",
      for: "child",
      request: { kind: "workflow", workflowId: workflow, workflowVersion: 1, part: null, input: give, dueAt },
    };
  },
  resume: (_call, signal: NodeSignal) => {
    if (signal.type !== "child") throw new Error("not a child");
    if (signal.status !== "completed")
      throw new OvenError(signal.error?.code ?? "CHILD_FAILED", signal.error?.message ?? "");
    return { type: "done", output: { result: signal.output, child: signal.executionId } };
  },
};

const fanOut = (more: object = {}, body: object = { src: "x10", input: { n: "$.item" }, onDone: "out" }) => ({
  initial: "each",
  context: { base: 5 },
  states: {
    each: {
      loop: {
        type: "forEach",
        collection: "$.trigger.list",
        concurrency: 2,
        bodyInitial: "work",
        bodyStates: {
          work: { invoke: body },
          out: { type: "final", output: { value: "$.work_output.n", base: "$.base", who: "$.trigger.who" } },
        },
        onDone: "done",
        onError: "bad",
        ...more,
      },
    },
    done: { type: "final", output: "$.each_output" },
    bad: { type: "final", output: "$.each_error" },
  },
});
const NODES = { x10: TIMES_TEN, ask: ASK, call: CALL };

const runs = (harness: EngineHarness) => [...harness.store.runs.values()];
const children = (harness: EngineHarness) => runs(harness).filter(({ parent }) => parent !== null);

describe("a forEach with concurrency", () => {
  it("runs each item as a child that sees the parent's context, and gives the sequential loop's result", async () => {
    const harness = new EngineHarness(fanOut(), NODES);
    const id = await harness.execute({ list: [1, 2, 3], who: "me" });
    expect(harness.columns(id)).toMatchObject({
      status: "completed",
      output: {
        items: [1, 2, 3].map((n, index) => ({
          index,
          input: n,
          output: { value: n * 10, base: 5, who: "me" },
          status: "completed",
        })),
        count: 3,
        failed: 0,
        truncated: false,
      },
      tokenUsage: { total: 6 },
      costMicros: 21,
    });
    const sequential = new EngineHarness(fanOut({ concurrency: 1 }), NODES);
    const other = await sequential.execute({ list: [1, 2, 3], who: "me" });
    expect(sequential.columns(other).output).toEqual(harness.columns(id).output);
    expect(children(sequential)).toEqual([]);
    expect(children(harness)).toMatchObject(
      [0, 1, 2].map((index) => ({
        part: "each",
        depth: 1,
        parent: { executionId: id, nodeId: "each", item: String(index) },
      })),
    );
    expect(harness.rows(id)).toEqual([
      "each#1 completed",
      "each#1/0 completed",
      "each#1/1 completed",
      "each#1/2 completed",
    ]);
  });

  it("never has more children at once than its concurrency", async () => {
    const harness = new EngineHarness(fanOut({ concurrency: 3 }), NODES);
    let most = 0;
    const { commit } = harness.store;
    harness.store.commit = async (change) => {
      const applied = await commit.call(harness.store, change);
      most = Math.max(
        most,
        children(harness).filter(({ status }) => status === "pending" || status === "running").length,
      );
      return applied;
    };
    const id = await harness.execute({ list: Array.from({ length: 20 }, (_, n) => n), who: "" });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { count: 20 } });
    expect(most).toBe(3);
    expect(JSON.stringify(harness.store.run(id).state).length).toBeLessThan(2_000);
  });

  it("hands a failing item to onError and cancels the others, or records it with continueOnError", async () => {
    const harness = new EngineHarness(fanOut({}, { src: "ask", onDone: "out" }), NODES);
    const failing = new EngineHarness(fanOut(), NODES);
    const id = await failing.execute({ list: [1, -2, 3, 4], who: "" });
    expect(failing.columns(id)).toMatchObject({
      status: "completed",
      output: { code: "NEGATIVE", message: "Item 1: -2 is negative", details: { executionId: 3 } },
    });
    expect(children(failing)).toHaveLength(3);
    const kept = new EngineHarness(fanOut({ continueOnError: true }), NODES);
    const other = await kept.execute({ list: [1, -2, 3], who: "" });
    expect(kept.columns(other).output).toMatchObject({
      count: 3,
      failed: 1,
      items: [
        { status: "completed" },
        { status: "failed", output: null, error: { code: "NEGATIVE" } },
        { status: "completed" },
      ],
    });
    const waiting = await harness.execute({ list: [1, 2], who: "" });
    await harness.store.sendSignal(waiting, { type: "cancel", data: { reason: null, by: "me" } }, "cancel");
    await harness.advance(waiting);
    expect(runs(harness).map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  it("pauses with its children, and lets all of them ask", async () => {
    const bodyStates = {
      work: { invoke: { src: "ask", onDone: "out" } },
      out: { type: "final", output: "$.work_output.action" },
    };
    const harness = new EngineHarness(fanOut({ bodyStates }), NODES);
    const id = await harness.execute({ list: [1, 2, 3], who: "" });
    expect(harness.columns(id)).toMatchObject({ status: "paused", activeStates: ["each"] });
    expect(harness.columns(id).checkpoint?.waiting).toMatchObject([
      { for: "child", executionId: 2 },
      { for: "child" },
      { for: "child" },
    ]);
    const reviews = [...harness.store.reviews.keys()];
    expect(reviews).toHaveLength(3);
    for (const review of reviews) await harness.decide(review, "approve");
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { count: 3, failed: 0 } });
  });

  it("keeps what loops around it name, in its children", async () => {
    const inner = fanOut(
      { collection: "$.outer.list", itemVariable: "one" },
      { src: "x10", input: { n: "$.one" }, onDone: "out" },
    );
    const { each } = inner.states;
    const harness = new EngineHarness(
      {
        initial: "all",
        context: { base: 1 },
        states: {
          all: {
            loop: {
              type: "forEach",
              collection: "$.trigger.lists",
              itemVariable: "outer",
              bodyInitial: "each",
              bodyStates: {
                each: {
                  loop: {
                    ...each.loop,
                    bodyStates: {
                      ...each.loop.bodyStates,
                      out: { type: "final", output: { of: "$.outer.name", value: "$.work_output.n" } },
                    },
                    onDone: "over",
                    onError: undefined,
                  },
                },
                over: { type: "final", output: "$.each_output.items" },
              },
              onDone: "done",
            },
          },
          done: { type: "final", output: "$.all_output.items" },
        },
      },
      NODES,
    );
    const id = await harness.execute({
      lists: [
        { name: "a", list: [1, 2] },
        { name: "b", list: [3] },
      ],
    });
    expect(harness.columns(id)).toMatchObject({
      status: "completed",
      output: [
        { output: [{ output: { of: "a", value: 10 } }, { output: { of: "a", value: 20 } }] },
        { output: [{ output: { of: "b", value: 30 } }] },
      ],
    });
  });

  it("refuses what is no list, and more than maxIterations", async () => {
    for (const [list, code] of [
      ["no list", "INPUT_INVALID"],
      [[1, 2, 3], "LOOP_LIMIT"],
    ] as const) {
      const harness = new EngineHarness(fanOut({ maxIterations: 2 }), NODES);
      const id = await harness.execute({ list: list as never, who: "" });
      expect(harness.columns(id).output).toMatchObject({ code });
      expect(children(harness)).toEqual([]);
    }
    const truncating = new EngineHarness(fanOut({ maxIterations: 2, onLimit: "continue" }), NODES);
    const id = await truncating.execute({ list: [1, 2, 3], who: "" });
    expect(truncating.columns(id).output).toMatchObject({ count: 2, truncated: true });
    const empty = new EngineHarness(fanOut(), NODES);
    expect(empty.columns(await empty.execute({ list: [], who: "" })).output).toEqual({
      items: [],
      count: 0,
      failed: 0,
      truncated: false,
    });
  });
});

const caller = (give: object = { n: "$.trigger.n" }, more: object = {}) => ({
  initial: "sub",
  context: { secret: "parent's" },
  states: {
    sub: { invoke: { src: "call", input: { workflow: 2, give, ...more }, onDone: "done", onError: "bad" } },
    done: { type: "final", output: "$.sub_output.result" },
    bad: { type: "final", outcome: "failed" },
  },
});
const CALLED = {
  initial: "work",
  states: {
    work: { invoke: { src: "x10", input: { n: "$.trigger.n" }, onDone: "done" } },
    done: { type: "final", output: { n: "$.work_output.n", seen: '$.parent.secret | default("none")' } },
  },
};
const ASKING = {
  initial: "review",
  states: {
    review: { invoke: { src: "ask", onDone: "done" } },
    done: { type: "final", output: "$.review_output.action" },
  },
};
const SELF = {
  initial: "sub",
  states: {
    sub: { invoke: { src: "call", input: { workflow: 1, give: {} }, onDone: "done" } },
    done: { type: "final" },
  },
};

describe("a called workflow", () => {
  it("runs by itself, sees its parent's context as $.parent, and hands on its output and what it spent", async () => {
    const harness = new EngineHarness(caller(), NODES, [CALLED]);
    const id = await harness.execute({ n: 4 });
    expect(harness.columns(id)).toMatchObject({
      status: "completed",
      output: { n: 40, seen: "parent's" },
      tokenUsage: { total: 4 },
      costMicros: 7,
    });
    expect(harness.events(id)).toEqual(expect.arrayContaining(["child.started sub", "child.completed sub"]));
    expect(harness.store.run(id).rows).toMatchObject([{ nodeId: "sub", status: "completed" }]);
  });

  it("that waits for a person pauses its parent, which goes on after the decision", async () => {
    const harness = new EngineHarness(caller(), NODES, [ASKING]);
    const id = await harness.execute({ n: 1 });
    expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "sub" });
    await harness.decide(1, "approve");
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "approve" });
    expect(harness.events(id).filter((event) => event.startsWith("execution."))).toEqual([
      "execution.started",
      "execution.paused sub",
      "execution.resumed",
      "execution.completed",
    ]);
  });

  it("that fails is an error of the node", async () => {
    const harness = new EngineHarness(caller(), NODES, [CALLED]);
    const id = await harness.execute({ n: -1 });
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      errorInfo: { code: "NEGATIVE" } satisfies Partial<ErrorInfo>,
    });
  });

  it("is cancelled with its parent, and its cancelling is an error of the node", async () => {
    const harness = new EngineHarness(caller(), NODES, [ASKING]);
    const id = await harness.execute({ n: 1 });
    await harness.store.sendSignal(2, { type: "cancel", data: { reason: null, by: "me" } }, "cancel");
    await harness.advance(2);
    expect(harness.columns(2).status).toBe("cancelled");
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "CANCELLED" } });
  });

  it("is given up at the deadline", async () => {
    const harness = new EngineHarness(caller({}, { dueAt: "2026-01-01T01:00:00.000Z" }), NODES, [ASKING]);
    const id = await harness.execute({});
    await harness.elapse(3_600_000);
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "WAIT_TIMEOUT" } });
    expect(harness.columns(2).status).toBe("cancelled");
  });

  it("[004-241] goes no deeper than five", async () => {
    const harness = new EngineHarness(SELF, NODES);
    await harness.execute();
    expect(runs(harness).map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4, 5]);
    const [, , , , , deepest] = runs(harness);
    expect(deepest?.columns).toMatchObject({ status: "failed", outcome: "limit", errorInfo: { code: "DEPTH_LIMIT" } });
    expect(harness.columns(1)).toMatchObject({ status: "failed", errorInfo: { code: "DEPTH_LIMIT" } });
  });

  it("survives a crash at every commit of parent and child", async () => {
    for (let commits = 1; commits < 50; commits += 1) {
      const harness = new EngineHarness(caller(), NODES, [CALLED]);
      let left = commits;
      const commit = harness.store.commit.bind(harness.store);
      harness.store.commit = async (change) => {
        const applied = await commit(change);
        left -= 1;
        if (left === 0) throw new Error("killed");
        return applied;
      };
      const killed = await harness.execute({ n: 4 }).then(
        () => false,
        () => true,
      );
      if (!killed) {
        expect(commits).toBeGreaterThan(5);
        return;
      }
      harness.restart();
      await harness.store.voidLeases();
      for (let round = 0; round < 5; round += 1)
        for (const stuck of await harness.store.stuckRuns(new Date(harness.clock.now()).toISOString(), 100))
          await harness.advance(stuck);
      expect(harness.columns(1)).toMatchObject({ status: "completed", output: { n: 40 }, costMicros: 7 });
      expect(runs(harness)).toHaveLength(2);
    }
    throw new Error("it never came to its end unharmed");
  });
});

describe("budgets", () => {
  it("[004-242] end a run before its next call once they are exceeded", async () => {
    const spend = { tokenUsage: { input: 60, output: 0, total: 60 }, costMicros: 60 };
    const pay: ScriptedNode = { run: () => ({ type: "done", output: {}, spend }) };
    const chain = (more: object) => ({
      initial: "a",
      ...more,
      states: {
        a: { invoke: { src: "pay", onDone: "b" } },
        b: { invoke: { src: "pay", onDone: "c" } },
        c: { invoke: { src: "pay", onDone: "done" } },
        done: { type: "final" },
      },
    });
    for (const [limits, code] of [
      [{ maxTokens: 100 }, "TOKEN_LIMIT"],
      [{ maxCostMicros: 119 }, "COST_LIMIT"],
    ] as const) {
      const harness = new EngineHarness(chain(limits), { pay });
      const id = await harness.execute();
      expect(harness.columns(id)).toMatchObject({ status: "failed", outcome: "limit", errorInfo: { code } });
      expect(harness.nodes.calls).toEqual(["run a#1", "run b#1"]);
    }
    const enough = new EngineHarness(chain({ maxTokens: 180, maxCostMicros: 180 }), { pay });
    expect(enough.columns(await enough.execute()).status).toBe("completed");
  });

  it("reach children: a child may spend what is left", async () => {
    const harness = new EngineHarness({ ...fanOut(), maxTokens: 5 }, NODES);
    const id = await harness.execute({ list: [4, 3, 2], who: "" });
    expect(children(harness)[0]?.options).toEqual({ maxTokens: 5 });
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "TOKEN_LIMIT" } });
    expect(children(harness).every(({ status }) => status === "completed" || status === "cancelled")).toBe(true);
  });
});
