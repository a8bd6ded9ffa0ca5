import { OvenError } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { settle } from "../testing/simulated-clock.ts";

const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as { text: string } }) };
const linear = {
  initial: "a",
  states: {
    a: { invoke: { src: "echo", input: { text: "{{ $.trigger.name }}!" }, onDone: "b" } },
    b: { invoke: { src: "echo", input: { text: "$.a_output.text", more: "$.text" }, onDone: "done" } },
    done: { type: "final", output: { said: "$.b.text" } },
  },
};

describe("a run", () => {
  it("walks its states, merges each output into the context and ends with the final's output [004-015] [004-020]", async () => {
    const harness = new EngineHarness(linear, { echo });
    const id = await harness.execute({ name: "Ada" });
    expect(harness.columns(id)).toMatchObject({
      status: "completed",
      outcome: null,
      output: { said: "Ada!" },
      steps: 2,
      currentState: "done",
    });
    expect(harness.rows(id)).toEqual(["a#1 completed", "b#1 completed"]);
    const { values } = await harness.context(id);
    expect(values).toMatchObject({ a_output: { text: "Ada!" }, b_output: { text: "Ada!", more: "Ada!" } });
    expect(harness.events(id)).toEqual([
      "execution.started",
      "node.started a",
      "node.completed a",
      "node.started b",
      "node.completed b",
      "execution.completed",
      "end",
    ]);
  });

  it("has event numbers without gaps, and the context at any of them can be folded [004-174]", async () => {
    const harness = new EngineHarness(linear, { echo });
    const id = await harness.execute({ name: "Ada" });
    const { events } = harness.store.run(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const afterA = events.find(({ event }) => event === "node.completed")?.seq ?? 0;
    const { values } = await harness.context(id, afterA);
    expect(Object.keys(values)).toContain("a_output");
    expect(Object.keys(values)).not.toContain("b_output");
  });

  it("records the intent to run a node in the commit of the one before, and nothing twice", async () => {
    const harness = new EngineHarness(linear, { echo });
    const id = await harness.execute({ name: "Ada" });
    expect(harness.nodes.calls).toEqual(["run a#1", "run b#1"]);
    await harness.engine.advance(id);
    expect(harness.nodes.calls).toHaveLength(2);
  });

  it("takes the first branch of onDone whose guard passes, and sees the output just produced", async () => {
    const definition = {
      initial: "score",
      states: {
        score: {
          invoke: {
            src: "echo",
            input: { n: "$.trigger.n" },
            onDone: [
              {
                target: "high",
                guard: { type: "condition", params: { key: "$.score_output.n", operator: ">", value: 10 } },
              },
              { target: "mid", guard: { type: "cel", params: { expression: "output.n > 5 && ctx.n + 1 > 6" } } },
              "low",
            ],
          },
        },
        high: { type: "final", output: "high" },
        mid: { type: "final", output: "mid" },
        low: { type: "final", output: "low" },
      },
    };
    const harness = new EngineHarness(definition, { echo });
    const ends = await Promise.all([11, 6, 5].map((n) => harness.execute({ n })));
    expect(ends.map((id) => harness.columns(id).output)).toEqual(["high", "mid", "low"]);
  });

  it("fails with NO_TRANSITION when no guard passes, through onError if there is one", async () => {
    const onDone = [
      { target: "done", guard: { type: "condition", params: { key: "$.a_output.ok", operator: "==", value: true } } },
    ];
    const definition = (onError: object, more: object) => ({
      initial: "a",
      states: {
        a: { invoke: { src: "echo", input: { ok: false }, onDone, ...onError } },
        done: { type: "final" },
        ...more,
      },
    });
    const bare = new EngineHarness(definition({}, {}), { echo });
    const id = await bare.execute();
    expect(bare.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "NO_TRANSITION", nodeId: "a" } });
    const handled = new EngineHarness(
      definition({ onError: "handled" }, { handled: { type: "final", output: "$.a_error.code" } }),
      { echo },
    );
    expect(handled.columns(await handled.execute())).toMatchObject({ status: "completed", output: "NO_TRANSITION" });
  });

  it("counts in a variable by always and assign until a guard stops it", async () => {
    const definition = {
      initial: "check",
      context: { n: 0, seen: [] },
      states: {
        check: {
          entry: [
            { type: "assign", params: { path: "$.n", add: 1 } },
            { type: "assign", params: { path: "$.seen", append: "$.n", keep: 2 } },
          ],
          always: [
            { target: "done", guard: { type: "condition", params: { key: "$.n", operator: ">=", value: 4 } } },
            { target: "again" },
          ],
        },
        again: { always: "check" },
        done: { type: "final", output: { n: "$.n", seen: "$.seen" } },
      },
    };
    const harness = new EngineHarness(definition, {});
    expect(harness.columns(await harness.execute()).output).toEqual({ n: 4, seen: [3, 4] });
  });

  it("an eventless cycle that never rests fails with a limit instead of hanging", async () => {
    const definition = {
      initial: "spin",
      context: { n: 0 },
      states: {
        spin: {
          entry: [{ type: "assign", params: { path: "$.n", add: 1 } }],
          always: [
            { target: "done", guard: { type: "condition", params: { key: "$.n", operator: "<", value: 0 } } },
            { target: "back" },
          ],
        },
        back: { always: "spin" },
        done: { type: "final" },
      },
    };
    const harness = new EngineHarness(definition, {});
    expect(harness.columns(await harness.execute())).toMatchObject({
      status: "failed",
      outcome: "limit",
      errorInfo: { code: "TRANSITION_LIMIT" },
    });
  });

  it("re-enters a state that targets itself, with a new visit, and lets N steps fit in maxSteps N", async () => {
    const definition = (maxSteps: number) => ({
      initial: "a",
      maxSteps,
      states: {
        a: {
          invoke: {
            src: "count",
            onDone: [
              {
                target: "done",
                guard: { type: "condition", params: { key: "$.a_output.visit", operator: "==", value: 3 } },
              },
              { target: "a" },
            ],
          },
        },
        done: { type: "final" },
      },
    });
    const count: ScriptedNode = { run: ({ node }) => ({ type: "done", output: { visit: node.visit } }) };
    const enough = new EngineHarness(definition(3), { count });
    const id = await enough.execute();
    expect(enough.rows(id)).toEqual(["a#1 completed", "a#2 completed", "a#3 completed"]);
    expect(enough.columns(id).status).toBe("completed");
    const short = new EngineHarness(definition(2), { count });
    expect(short.columns(await short.execute())).toMatchObject({
      status: "failed",
      outcome: "limit",
      errorInfo: { code: "STEP_LIMIT" },
    });
  });

  it("routes a missing value in an input to onError, naming the node and the path", async () => {
    const definition = {
      initial: "a",
      states: {
        a: { invoke: { src: "echo", input: { text: "$.trigger.nope" }, onDone: "done", onError: "failed" } },
        done: { type: "final" },
        failed: { type: "final", outcome: "failed" },
      },
    };
    const harness = new EngineHarness(definition, { echo });
    const id = await harness.execute();
    expect(harness.columns(id).errorInfo).toMatchObject({
      code: "MISSING_VALUE",
      nodeId: "a",
      message: "a: $.trigger.nope has no value",
    });
    expect(harness.columns(id).status).toBe("failed");
    expect(harness.rows(id)).toEqual(["a#1 failed"]);
    expect(harness.nodes.calls).toEqual([]);
  });

  it("fails on a CEL error in a guard with EXPRESSION_ERROR, and treats a missing key as false", async () => {
    const definition = (expression: string) => ({
      initial: "a",
      states: {
        a: {
          invoke: {
            src: "echo",
            input: { n: "x" },
            onDone: [{ target: "yes", guard: { type: "cel", params: { expression } } }, "no"],
          },
        },
        yes: { type: "final" },
        no: { type: "final", output: "no" },
      },
    });
    const missing = new EngineHarness(definition("ctx.nope.deep == 1"), { echo });
    expect(missing.columns(await missing.execute()).output).toBe("no");
    const wrong = new EngineHarness(definition("ctx.n * 2 > 1"), { echo });
    expect(wrong.columns(await wrong.execute())).toMatchObject({
      status: "failed",
      errorInfo: { code: "EXPRESSION_ERROR", nodeId: "a" },
    });
  });

  it("ends at once when a node says stop, with its outcome and output", async () => {
    const stop: ScriptedNode = {
      endsRun: true,
      run: () => ({ type: "done", output: {}, stop: { outcome: "stopped", output: "early" } }),
    };
    const harness = new EngineHarness({ initial: "a", states: { a: { invoke: { src: "stop" } } } }, { stop });
    expect(harness.columns(await harness.execute())).toMatchObject({
      status: "completed",
      outcome: "stopped",
      output: "early",
    });
  });

  it("never completes with an output that its outputSchema denies", async () => {
    const harness = new EngineHarness(
      {
        initial: "done",
        outputSchema: { type: "string" },
        context: { given: 3 },
        states: { done: { type: "final", output: "$.given" } },
      },
      {},
    );
    expect(harness.columns(await harness.execute())).toMatchObject({
      status: "failed",
      errorInfo: { code: "OUTPUT_INVALID" },
    });
  });
});

describe("errors", () => {
  const states = {
    a: {
      invoke: {
        src: "bad",
        onDone: "done",
        onError: [
          {
            target: "other",
            guard: { type: "condition", params: { key: "$.a_error.code", operator: "==", value: "OTHER" } },
          },
          { target: "caught" },
        ],
      },
    },
    done: { type: "final" },
    other: { type: "final" },
    caught: { type: "final", output: "$.a_error.message" },
  };

  it("go to onError, whose guards read <id>_error", async () => {
    const harness = new EngineHarness(
      { initial: "a", states },
      {
        bad: {
          run: () => {
            throw new OvenError("BROKEN", "it broke");
          },
        },
      },
    );
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "it broke" });
    expect(harness.rows(id)).toEqual(["a#1 failed"]);
  });

  it("of an inner state bubble to the compound's onError, and fail the run when nobody handles them", async () => {
    const group = (onError: object) => ({
      initial: "group",
      states: {
        group: {
          initial: "a",
          onDone: "done",
          ...onError,
          states: { a: { invoke: { src: "bad", onDone: "end" } }, end: { type: "final" } },
        },
        done: { type: "final" },
        caught: { type: "final", output: "$.group_error.nodeId" },
      },
    });
    const bad: ScriptedNode = {
      run: () => {
        throw new OvenError("BROKEN", "it broke");
      },
    };
    const handled = new EngineHarness(group({ onError: "caught" }), { bad });
    expect(handled.columns(await handled.execute())).toMatchObject({ status: "completed", output: "a" });
    const open = group({});
    const unhandled = new EngineHarness(
      { ...open, states: { group: open.states.group, done: open.states.done } },
      { bad },
    );
    expect(unhandled.columns(await unhandled.execute())).toMatchObject({
      status: "failed",
      errorInfo: { code: "BROKEN", nodeId: "a", message: "it broke" },
    });
  });

  it("are retried with back-off as the policy says; the run keeps running with waitingUntil", async () => {
    let failures = 0;
    const flaky: ScriptedNode = {
      run: () => {
        failures += 1;
        if (failures < 3) throw new OvenError("BUSY", "try later", { retryable: true });
        return { type: "done", output: { failures } };
      },
    };
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: { invoke: { src: "flaky", retry: { initialMs: 1000 }, onDone: "done" } },
          done: { type: "final", output: "$.a_output.failures" },
        },
      },
      { flaky },
    );
    const id = await harness.execute();
    // The policy's second, and then two, each spread by up to a fifth.
    const backoff = () => Date.parse(harness.columns(id).waitingUntil ?? "") - harness.clock.now();
    expect(harness.columns(id).status).toBe("running");
    expect(Math.abs(backoff() - 1_000)).toBeLessThanOrEqual(200);
    await harness.elapse(backoff() - 1);
    expect(harness.nodes.calls).toHaveLength(1);
    await harness.elapse(1);
    expect(Math.abs(backoff() - 2_000)).toBeLessThanOrEqual(400);
    await harness.elapse(backoff());
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: 3, steps: 1 });
    expect(harness.store.run(id).rows).toMatchObject([{ nodeId: "a", visit: 1, attempt: 3, status: "completed" }]);
  });

  it("that are not retryable, and at-most-once nodes, are not tried again", async () => {
    const bad: ScriptedNode = {
      run: () => {
        throw new OvenError("BROKEN", "no");
      },
    };
    const once: ScriptedNode = {
      effect: "at-most-once",
      run: () => {
        throw new Error("connection reset");
      },
    };
    for (const [src, node] of Object.entries({ bad, once })) {
      const harness = new EngineHarness(
        { initial: "a", states: { a: { invoke: { src, onDone: "done" } }, done: { type: "final" } } },
        { [src]: node },
      );
      const id = await harness.execute();
      expect(harness.columns(id).status).toBe("failed");
      expect(harness.nodes.calls).toEqual(["run a#1"]);
    }
  });

  it("that may have had their effect are a person's to settle, and those that may be repeated are tried again", async () => {
    const breaks = (effect: "at-most-once" | "idempotent"): ScriptedNode => ({
      effect,
      retry: { maxAttempts: 2 },
      run: ({ node }) => {
        if (node.attempt === 1)
          throw new OvenError("LOST", "the connection broke off", { uncertain: true, retryable: true });
        return { type: "done", output: "made" };
      },
    });
    const definition = {
      initial: "a",
      states: { a: { invoke: { src: "x", onDone: "done" } }, done: { type: "final" } },
    };
    const asking = new EngineHarness(definition, { x: breaks("at-most-once") });
    const id = await asking.execute();
    expect(asking.columns(id).status).toBe("paused");
    expect(asking.store.reviews.get(1)?.open.request).toMatchObject({
      title: "Did a happen?",
      context: { reason: "the connection broke off" },
      actions: ["rerun", "supply", "fail"],
    });
    await asking.decide(1, "rerun");
    expect(asking.columns(id).status).toBe("completed");
    expect(asking.nodes.calls).toHaveLength(2);
    const trying = new EngineHarness(definition, { x: breaks("idempotent") });
    const other = await trying.execute();
    expect(trying.store.reviews.size).toBe(0);
    expect(trying.columns(other).waitingUntil).not.toBeNull();
  });

  it("honour Retry-After over the policy", async () => {
    const busy: ScriptedNode = {
      run: () => {
        throw new OvenError("RATE_LIMITED", "slow down", { retryAfterMs: 90_000 });
      },
    };
    const harness = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "busy", onDone: "done" } }, done: { type: "final" } } },
      { busy },
    );
    const id = await harness.execute();
    expect(harness.columns(id).waitingUntil).toBe("2026-01-01T00:01:30.000Z");
  });
});

describe("limits of time", () => {
  const never: ScriptedNode = { run: () => new Promise(() => undefined) };

  it("a node that takes longer than timeoutMs is aborted and fails", async () => {
    let aborted = false;
    const slow: ScriptedNode = {
      retry: { maxAttempts: 1 },
      run: ({ signal }) =>
        new Promise((_resolve) =>
          signal.addEventListener("abort", () => {
            aborted = true;
          }),
        ),
    };
    const harness = new EngineHarness(
      {
        initial: "a",
        states: { a: { invoke: { src: "slow", timeoutMs: 5_000, onDone: "done" } }, done: { type: "final" } },
      },
      { slow },
    );
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await harness.clock.advance(5_000);
    await work;
    expect(aborted).toBe(true);
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "NODE_TIMEOUT", nodeId: "a" } });
  });

  it("a run that is active longer than its timeoutMs fails with outcome limit", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        timeoutMs: 10_000,
        states: { a: { invoke: { src: "never", onDone: "done" } }, done: { type: "final" } },
      },
      { never },
    );
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await harness.clock.advance(10_000);
    await work;
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      outcome: "limit",
      errorInfo: { code: "TIME_LIMIT" },
    });
    expect(harness.rows(id)).toEqual(["a#1 cancelled"]);
  });

  it("waiting does not count as active", async () => {
    const delay: ScriptedNode = {
      run: () => ({ type: "wait", for: "timer", request: { dueAt: "2026-01-02T00:00:00.000Z" } }),
      resume: (_call, signal) => ({ type: "done", output: { woken: signal.type } }),
    };
    const harness = new EngineHarness(
      {
        initial: "a",
        timeoutMs: 1_000,
        states: {
          a: { invoke: { src: "delay", onDone: "done" } },
          done: { type: "final", output: "$.a_output.woken" },
        },
      },
      { delay },
    );
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "running", waitingUntil: "2026-01-02T00:00:00.000Z" });
    await harness.elapse(24 * 3_600_000);
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "timer" });
  });

  it("an output over the size limit fails the run", async () => {
    const big: ScriptedNode = { run: () => ({ type: "done", output: { text: "x".repeat(5_000_000) } }) };
    const harness = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "big", onDone: "done" } }, done: { type: "final" } } },
      { big },
    );
    expect(harness.columns(await harness.execute())).toMatchObject({
      status: "failed",
      outcome: "limit",
      errorInfo: { code: "OUTPUT_LIMIT" },
    });
  });

  it("cancel aborts what runs, and terminal states are final", async () => {
    let reason = "";
    const slow: ScriptedNode = {
      run: ({ signal }) =>
        new Promise((_resolve) =>
          signal.addEventListener("abort", () => {
            reason = "aborted";
          }),
        ),
    };
    const harness = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "slow", onDone: "done" } }, done: { type: "final" } } },
      { slow },
    );
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await settle();
    expect(
      await harness.store.sendSignal(id, { type: "cancel", data: { reason: "wrong order", by: "user 1" } }, "cancel"),
    ).toBe(true);
    harness.engine.notify(id);
    await work;
    expect(reason).toBe("aborted");
    expect(harness.columns(id)).toMatchObject({
      status: "cancelled",
      errorInfo: { message: "Cancelled by user 1: wrong order" },
    });
    expect(harness.rows(id)).toEqual(["a#1 cancelled"]);
    expect(harness.events(id).slice(-3)).toEqual(["node.cancelled a", "execution.cancelled", "end"]);
    expect(await harness.store.sendSignal(id, { type: "cancel", data: { reason: null, by: "user 1" } }, "again")).toBe(
      false,
    );
  });
});

describe("a signal that comes while the run is being claimed", () => {
  const slow: ScriptedNode = {
    run: ({ signal }) =>
      new Promise((done) => signal.addEventListener("abort", () => done({ type: "done", output: {} }))),
  };
  const waiting = { initial: "a", states: { a: { invoke: { src: "slow", onDone: "done" } }, done: { type: "final" } } };

  it("is looked at as soon as the claim is there, without a heartbeat", async () => {
    const harness = new EngineHarness(waiting, { slow });
    const id = await harness.create();
    const claim = harness.store.claim.bind(harness.store);
    harness.store.claim = async (...args) => {
      const record = await claim(...args);
      // Too late for what the claim tells, too early for a driver.
      await harness.store.sendSignal(id, { type: "cancel", data: { reason: null, by: "user 1" } }, "cancel");
      expect(harness.engine.notify(id)).toBe(true);
      return record;
    };
    await harness.engine.advance(id);
    expect(harness.columns(id).status).toBe("cancelled");
    expect(harness.engine.notify(id)).toBe(false);
  });

  it("leads to another round where somebody else holds the run", async () => {
    const harness = new EngineHarness(waiting, { slow });
    const id = await harness.create();
    await harness.store.claim(id, "another", 60_000);
    const claim = harness.store.claim.bind(harness.store);
    let claims = 0;
    harness.store.claim = async (...args) => {
      claims += 1;
      await settle();
      if (claims === 1) harness.engine.notify(id);
      return claim(...args);
    };
    await harness.engine.advance(id);
    expect(claims).toBe(2);
  });
});

describe("what a node does besides its result", () => {
  it("streams text in batches with offsets, and says when a failed attempt's text is void", async () => {
    let attempt = 0;
    const talk: ScriptedNode = {
      run: ({ text, event, log, emit }) => {
        attempt += 1;
        text("p1", "Hel");
        text("p1", "lo");
        event("tool.started", { tool: "orders.get" });
        text("p1", "!");
        log("info", "said hello");
        emit("demo.said", { text: "Hello!" });
        if (attempt === 1) throw new OvenError("CUT", "stream cut", { retryable: true });
        return { type: "done", output: {} };
      },
    };
    const harness = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "talk", onDone: "done" } }, done: { type: "final" } } },
      { talk },
    );
    const id = await harness.execute();
    await harness.elapse(1_200);
    const text = harness.store.run(id).events.filter(({ event }) => event.startsWith("text."));
    expect(text.map(({ event, fields }) => [event, fields.attempt, fields.offset, fields.text])).toEqual([
      ["text.delta", 1, 0, "Hello"],
      ["text.delta", 1, 5, "!"],
      ["text.discarded", 1, undefined, undefined],
      ["text.delta", 2, 0, "Hello"],
      ["text.delta", 2, 5, "!"],
    ]);
    expect(harness.store.run(id).outbox.filter(({ custom }) => custom)).toHaveLength(2);
  });

  it("persists streamed text while the node still runs", async () => {
    const talk: ScriptedNode = { run: ({ text }) => new Promise(() => text("p", "partial")) };
    const harness = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "talk", onDone: "done" } }, done: { type: "final" } } },
      { talk },
    );
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await harness.clock.advance(100);
    expect(harness.events(id)).toContain("text.delta a");
    await harness.store.sendSignal(id, { type: "cancel", data: { reason: null, by: "test" } }, "c");
    harness.engine.notify(id);
    await work;
  });

  it("gives the same idempotency key to every attempt, another to every visit and ordinal", async () => {
    const keys: string[] = [];
    const keyed: ScriptedNode = {
      run: (call) => {
        keys.push(call.idempotencyKey(), call.idempotencyKey(1));
        if (call.node.attempt === 1) throw new OvenError("BUSY", "again", { retryable: true });
        return { type: "done", output: {} };
      },
    };
    const harness = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "keyed", onDone: "done" } }, done: { type: "final" } } },
      { keyed },
    );
    await harness.execute();
    await harness.elapse(2_000);
    expect(keys[0]).toBe(keys[2]);
    expect(keys[1]).toBe(keys[3]);
    expect(new Set(keys).size).toBe(2);
  });

  it("stores an input that is the conversation as a reference, and hands the node the messages of that moment", async () => {
    const seen: unknown[] = [];
    const talk: ScriptedNode = {
      run: ({ input }) => {
        seen.push((input as { messages: unknown[] }).messages.length);
        return {
          type: "done",
          output: {},
          patch: [{ op: "add", path: "/messages/-", value: { role: "user", content: "more" } }],
        };
      },
    };
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: { invoke: { src: "talk", input: { messages: "$.messages" }, onDone: "b" } },
          b: { invoke: { src: "talk", input: { messages: "$.messages" }, onDone: "done" } },
          done: { type: "final" },
        },
      },
      { talk },
    );
    const id = await harness.execute({ messages: [{ role: "user", content: "hi" }] });
    expect(seen).toEqual([1, 2]);
    expect(harness.store.run(id).rows.map(({ input }) => input)).toEqual([
      { messages: { $messages: 1 } },
      { messages: { $messages: 2 } },
    ]);
  });
});
