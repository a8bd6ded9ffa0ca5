import type { JsonObject } from "@oven/contract";
import type { NodeResult, ReviewRequest } from "@oven/contract/node";
import { describe, expect, it } from "vitest";
import { hashJson } from "../compile/content-hash.ts";
import type { ExecutionStore } from "../store.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { MemoryStore } from "../testing/memory-store.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import type { RunEngine } from "./run-engine.ts";

const request = (proposal: JsonObject, more: Partial<ReviewRequest> = {}): ReviewRequest => ({
  title: "Please look",
  proposal,
  schema: null,
  context: null,
  tool: null,
  assignees: [],
  actions: ["approve", "edit", "reject"],
  dueAt: null,
  ...more,
});
const review: ScriptedNode = {
  run: (): NodeResult => ({ type: "wait", for: "review", request: request({ text: "Dear Ada" }) }),
  resume: (_call, signal) => {
    if (signal.type !== "decision") throw new Error("not a decision");
    return { type: "done", output: { action: signal.action, data: signal.data, reason: signal.reason } };
  },
};
const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as JsonObject }) };
const states = (onDone: unknown, onError: object = {}) => ({
  draft: { invoke: { src: "echo", input: { text: "Dear Ada" }, onDone: "review" } },
  review: { invoke: { src: "review", onDone, ...onError } },
  done: { type: "final", output: "$.review_output.data" },
});
const readsDecision = [
  {
    target: "done",
    guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
  },
  { target: "draft" },
];

describe("a review", () => {
  it("pauses the run with a checkpoint that names it, and opens a row with the digest of what is shown [004-163]", async () => {
    const harness = new EngineHarness({ initial: "draft", states: states("done") }, { review, echo });
    const id = await harness.execute();
    const run = harness.store.run(id);
    expect(harness.columns(id)).toMatchObject({
      status: "paused",
      currentState: "review",
      activeStates: ["review"],
      waitingUntil: null,
    });
    expect(harness.columns(id).checkpoint).toEqual({
      seq: run.seq,
      waiting: [{ nodeId: "review", visit: 1, item: null, for: "review", reviewId: 1, dueAt: null }],
    });
    expect(harness.store.reviews.get(1)).toMatchObject({
      status: "open",
      open: { digest: hashJson({ tool: null, proposal: { text: "Dear Ada" } }) },
    });
    expect(harness.events(id).slice(-3)).toEqual([
      "node.paused review",
      "review.opened review",
      "execution.paused review",
    ]);
    expect(run.lease).toBeNull();
  });

  it("goes on from the review after a restart, and runs nothing before it again [004-167]", async () => {
    const harness = new EngineHarness({ initial: "draft", states: states("done") }, { review, echo });
    const id = await harness.execute();
    harness.restart();
    await harness.decide(1, "edit", { text: "Dear Grace" });
    expect(harness.columns(id)).toMatchObject({
      status: "completed",
      output: { text: "Dear Grace" },
      checkpoint: null,
    });
    expect(harness.nodes.calls).toEqual(["run draft#1", "run review#1", "resume review#1"]);
    expect(harness.events(id)).toContain("execution.resumed");
  });

  it("is decided once: the second decision changes nothing", async () => {
    const harness = new EngineHarness({ initial: "draft", states: states("done") }, { review, echo });
    const id = await harness.execute();
    await harness.decide(1, "approve", { text: "first" });
    expect(
      await harness.store.decide(1, {
        action: "reject",
        data: null,
        reason: "late",
        reviewer: 2,
        decidedAt: "2026-01-01T00:00:00Z",
      }),
    ).toBe(false);
    expect(harness.columns(id).output).toEqual({ text: "first" });
  });

  it("rejected goes along onDone when a guard there reads the decision", async () => {
    const harness = new EngineHarness({ initial: "draft", states: states(readsDecision) }, { review, echo });
    const id = await harness.execute();
    await harness.decide(1, "reject", null, "too stiff");
    expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "review" });
    expect(harness.rows(id)).toEqual([
      "draft#1 completed",
      "review#1 completed",
      "draft#2 completed",
      "review#2 paused",
    ]);
    await harness.decide(2, "approve", { text: "ok" });
    expect(harness.columns(id).status).toBe("completed");
  });

  it("rejected never takes a plain onDone: it goes to onError, else the run fails with the reason [004-077]", async () => {
    const handled = new EngineHarness(
      {
        initial: "draft",
        states: { ...states("done", { onError: "fallback" }), fallback: { type: "final", output: "$.review_error" } },
      },
      { review, echo },
    );
    const id = await handled.execute();
    await handled.decide(1, "reject", null, "wrong customer");
    expect(handled.columns(id)).toMatchObject({
      status: "completed",
      output: { code: "REVIEW_REJECTED", details: { reason: "wrong customer" } },
    });

    const bare = new EngineHarness({ initial: "draft", states: states("done") }, { review, echo });
    const other = await bare.execute();
    await bare.decide(1, "reject", null, "wrong customer");
    expect(bare.columns(other)).toMatchObject({
      status: "failed",
      outcome: "rejected",
      errorInfo: { code: "REVIEW_REJECTED", message: "The review review was rejected: wrong customer" },
    });
  });

  it("expires at its deadline: the row says so and the run follows onError", async () => {
    const due: ScriptedNode = {
      ...review,
      run: () => ({ type: "wait", for: "review", request: request({}, { dueAt: "2026-01-02T00:00:00.000Z" }) }),
    };
    const harness = new EngineHarness(
      { initial: "draft", states: { ...states("done", { onError: "late" }), late: { type: "final", output: "late" } } },
      { review: due, echo },
    );
    const id = await harness.execute();
    expect(harness.columns(id).status).toBe("paused");
    await harness.elapse(24 * 3_600_000);
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "late" });
    expect(harness.store.reviews.get(1)?.status).toBe("expired");
  });

  it("open when the run is cancelled is closed", async () => {
    const harness = new EngineHarness({ initial: "draft", states: states("done") }, { review, echo });
    const id = await harness.execute();
    await harness.store.sendSignal(id, { type: "cancel", data: { reason: null, by: "user 1" } }, "cancel");
    await harness.engine.advance(id);
    expect(harness.columns(id).status).toBe("cancelled");
    expect(harness.store.reviews.get(1)?.status).toBe("cancelled");
  });
});

describe("a wait for an event", () => {
  it("goes on with the event that has its correlation", async () => {
    const wait: ScriptedNode = {
      run: () => ({ type: "wait", for: "event", request: { event: "paid", correlation: "order-1", dueAt: null } }),
      resume: (_call, signal): NodeResult => ({
        type: "done",
        output: signal.type === "event" ? { payload: signal.payload } : {},
      }),
    };
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: { invoke: { src: "wait", onDone: "done" } },
          done: { type: "final", output: "$.a_output.payload" },
        },
      },
      { wait },
    );
    const id = await harness.execute();
    const send = async (correlation: string) => {
      await harness.store.sendSignal(
        id,
        { type: "event", data: { event: "paid", payload: 5, correlation } },
        correlation,
      );
      await harness.engine.advance(id);
    };
    await send("order-2");
    expect(harness.columns(id).status).toBe("paused");
    expect(harness.store.run(id).signals).toEqual([]);
    await send("order-1");
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: 5 });
  });

  describe("told of a cancel while it is taken up for a decision", () => {
    /** Decided, not gone on with, and with a store that can be held up. */
    async function decided() {
      const harness = new EngineHarness({ initial: "draft", states: states("done") }, { review, echo });
      const id = await harness.execute();
      const at = "2026-01-01T00:00:00Z";
      const decision = { action: "approve", data: null, reason: null, reviewer: 1, decidedAt: at };
      expect(await harness.store.decide(1, decision)).toBe(true);
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const hold = async () => {
        reached.resolve();
        await gate.promise;
      };
      const cancel = async (engine: RunEngine) => {
        const advancing = engine.advance(id);
        await reached.promise;
        await harness.store.sendSignal(id, { type: "cancel", data: { reason: null, by: "user 1" } }, "cancel");
        expect(engine.notify(id)).toBe(true);
        gate.resolve();
        await advancing;
      };
      return { harness, id, hold, cancel };
    }

    function storeWith(store: MemoryStore, more: Partial<ExecutionStore>): ExecutionStore {
      return new Proxy(store, {
        get: (target, key) => {
          const value: unknown = Reflect.get(key in more ? more : target, key);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    }

    it("hears of it before it goes on, where its signals had been asked for", async () => {
      const { harness, id, hold, cancel } = await decided();
      const { store } = harness;
      const held = storeWith(store, {
        load: async (...args) => {
          await hold();
          return store.load(...args);
        },
      });
      await cancel(harness.restart(held));
      expect(harness.columns(id).status).toBe("cancelled");
    });

    it("hears of it before it goes on, where its signals came with the claim", async () => {
      const { harness, id, hold, cancel } = await decided();
      const { store, source } = harness;
      const held = storeWith(store, {
        claim: async (...args) => {
          const record = await store.claim(...args);
          const found = { run: await store.load(id, 0), signals: await store.signals(id) };
          return record && { ...record, found };
        },
      });
      const { load } = source;
      source.load = async (...args) => {
        await hold();
        return load(...args);
      };
      await cancel(harness.restart(held));
      expect(harness.columns(id).status).toBe("cancelled");
    });
  });
});
