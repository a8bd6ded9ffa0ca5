import { type JsonObject, OvenError } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { compileDefinition } from "../compile/compile-definition.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import { type ScriptedNode, ScriptedNodes } from "../testing/scripted-nodes.ts";
import { settle } from "../testing/simulated-clock.ts";
import { initialContext } from "./context.ts";
import { plan, planStart } from "./plan.ts";
import type { PlanEnvironment, PlanEvent, RunFacts } from "./plan-types.ts";

const done: ScriptedNode = { run: () => ({ type: "done", output: {} }) };
const FACTS: RunFacts = { id: 1, kind: "workflow", workflowId: 1, input: {} };
const environment = (now = 0): PlanEnvironment => ({ now, reviewIds: [1, 2] });

describe("plan", () => {
  const compiled = compileDefinition(
    {
      initial: "a",
      states: {
        a: {
          invoke: {
            src: "done",
            onDone: [
              { target: "end", guard: { type: "cel", params: { expression: "output.last == true" } } },
              { target: "a" },
            ],
          },
        },
        end: { type: "final" },
      },
    },
    new ScriptedNodes({ done }),
  );
  const result = (visit: number, attempt: number, last: boolean): PlanEvent => ({
    type: "done",
    unit: { nodeId: "a", visit, item: null, attempt },
    result: { type: "done", output: { last } },
    emits: [],
  });

  it("leaves the snapshot it was given as it was, and gives the same plan again", () => {
    const first = planStart(compiled, FACTS, initialContext({}, {}), environment());
    const frozen = JSON.stringify(first.snapshot.state);
    const plans = [1, 2].map(() => plan(compiled, FACTS, first.snapshot, result(1, 1, false), environment(5)));
    expect(JSON.stringify(first.snapshot.state)).toBe(frozen);
    expect(first.snapshot.context.values.a_output).toBeUndefined();
    expect(JSON.stringify(plans[0])).toBe(JSON.stringify(plans[1]));
  });

  it("lets a result of an earlier visit or attempt change nothing", () => {
    const first = planStart(compiled, FACTS, initialContext({}, {}), environment());
    const second = plan(compiled, FACTS, first.snapshot, result(1, 1, false), environment());
    expect(second.snapshot.state.units).toMatchObject([{ nodeId: "a", visit: 2 }]);
    for (const late of [result(1, 1, true), result(2, 2, true)]) {
      const after = plan(compiled, FACTS, second.snapshot, late, environment());
      expect(after).toMatchObject({ changed: false, end: null, rows: [], events: [] });
      expect(after.snapshot).toBe(second.snapshot);
    }
    expect(plan(compiled, FACTS, second.snapshot, result(2, 1, true), environment()).end).toMatchObject({
      status: "completed",
    });
  });
});

describe("a patch that does not fit the context", () => {
  it("fails the node, or the item, that made it, and changes nothing", async () => {
    const patch = [{ op: "add" as const, path: "/nope/deep", value: 1 }];
    const bad: ScriptedNode = { run: () => ({ type: "done", output: { x: 1 }, patch }) };
    const harness = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "bad", onDone: "end" } }, end: { type: "final" } } },
      { bad },
    );
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "PATCH_INVALID", nodeId: "a" } });
    expect(harness.rows(id)).toEqual(["a#1 failed"]);
    const tools: ScriptedNode = {
      run: () => ({ type: "wait", for: "items", request: { items: [{ key: "k", input: 1 }], concurrency: 1 } }),
      runItem: () => ({ type: "done", output: {}, patch }),
      resume: () => ({ type: "done", output: {} }),
    };
    const items = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "tools", onDone: "end" } }, end: { type: "final" } } },
      { tools },
    );
    expect(items.rows(await items.execute())).toEqual(["a#1 completed", "a#1/k failed"]);
  });
});

describe("a state that is entered and left in one move", () => {
  it("plans nothing: no row, no step, no call", async () => {
    const definition = {
      initial: "group",
      states: {
        group: {
          initial: "a",
          always: "end",
          onDone: "end",
          states: { a: { invoke: { src: "done", onDone: "b" } }, b: { type: "final" } },
        },
        end: { type: "final" },
      },
    };
    const harness = new EngineHarness(definition, { done });
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "completed", steps: 0 });
    expect(harness.rows(id)).toEqual([]);
    expect(harness.nodes.calls).toEqual([]);
    expect(harness.store.run(id).state?.visits).toEqual({ a: 0 });
  });
});

describe("a value that is put into itself again and again in one move", () => {
  const again = { target: "b", guard: { type: "condition", params: { key: "$.count", operator: "<", value: 40 } } };
  const count = { type: "assign", params: { path: "$.count", add: 1 } };
  const double = { type: "assign", params: { path: "$.list", append: ["$.list", "$.list"] } };
  const definition = (onError: object, handled: object = {}): JsonObject => ({
    initial: "s",
    context: { count: 0, list: ["x"] },
    states: {
      s: {
        ...onError,
        initial: "a",
        states: {
          a: { entry: [count, double], always: [again, { target: "end" }] },
          b: { always: "a" },
          end: { type: "final" },
        },
        onDone: "done",
      },
      done: { type: "final" },
      ...handled,
    },
  });

  it("is an error before it is a text that fills the memory", async () => {
    const harness = new EngineHarness(definition({}), {});
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      errorInfo: { code: "EXPRESSION_ERROR", message: expect.stringMatching(/assign: .*16 MiB/) },
    });
  });

  it("can be handled like any other", async () => {
    const large = { type: "final", outcome: "large", output: "$.count" };
    const harness = new EngineHarness(definition({ onError: "large" }, { large }), {});
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "large" });
    expect(harness.columns(id).output).toBeLessThan(25);
  });
});

describe("a run that nothing can move any more", () => {
  it("fails with STUCK, naming where", async () => {
    const guard = { type: "cel", params: { expression: "trigger.go == true" } };
    const harness = new EngineHarness(
      { initial: "hold", states: { hold: { always: [{ target: "end", guard }] }, end: { type: "final" } } },
      {},
    );
    expect(harness.columns(await harness.execute({ go: true })).status).toBe("completed");
    expect(harness.columns(await harness.execute())).toMatchObject({
      status: "failed",
      errorInfo: { code: "STUCK", message: expect.stringContaining("hold") },
    });
  });
});

describe("an action that fails on the way out of a junction", () => {
  const params = { path: "$.made", value: "$.trigger.missing" };
  const fails = { target: "next", actions: [{ type: "assign", params }] };
  const others = { next: { always: "end" }, end: { type: "final", output: "$.made | default(0)" } };

  it("fails the run, and what follows the junction does not run", async () => {
    const harness = new EngineHarness({ initial: "make", states: { make: { always: fails }, ...others } }, {});
    expect(harness.columns(await harness.execute())).toMatchObject({
      ...{ status: "failed", output: null, errorInfo: { code: "MISSING_VALUE", nodeId: "make" } },
    });
    expect(harness.columns(await harness.execute({ missing: 3 }))).toMatchObject({ status: "completed", output: 3 });
  });

  it("is an error of the states around it", async () => {
    const inside = { make: { always: fails }, next: { always: "done" }, done: { type: "final" } };
    const group = { initial: "make", states: inside, onDone: "end", onError: "caught" };
    const end = { end: { type: "final" }, caught: { type: "final", output: "$.group_error.code" } };
    const harness = new EngineHarness({ initial: "group", states: { group, ...end } }, {});
    expect(harness.columns(await harness.execute())).toMatchObject({ status: "completed", output: "MISSING_VALUE" });
  });
});

describe("time", () => {
  it("between a crash and the takeover does not count as active", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        timeoutMs: 60_000,
        states: { a: { invoke: { src: "slow", onDone: "end" } }, end: { type: "final" } },
      },
      {
        slow: { run: ({ node }) => (node.attempt === 1 ? new Promise(() => undefined) : { type: "done", output: {} }) },
      },
    );
    const id = await harness.create();
    void harness.engine.advance(id);
    await settle();
    harness.store.run(id).lease = { worker: "dead", until: 0 };
    const later = harness.clock.now() + 600_000;
    Object.assign(harness.clock, { now: () => later });
    await harness.restart().advance(id);
    expect(harness.columns(id)).toMatchObject({ status: "completed" });
  });
});

describe("items", () => {
  const request = {
    title: "?",
    proposal: 1,
    schema: null,
    context: null,
    tool: null,
    assignees: [],
    actions: ["approve"],
    dueAt: null,
  };
  const items = [
    { key: "a", input: 1 },
    { key: "b", input: 2 },
  ];
  const definition = {
    initial: "t",
    states: { t: { invoke: { src: "tools", onDone: "end" } }, end: { type: "final" } },
  };

  it("in order hold the next back while one waits for a person", async () => {
    const tools: ScriptedNode = {
      run: () => ({ type: "wait", for: "items", request: { items, concurrency: 1 } }),
      runItem: (_call, { key }) =>
        key === "a" ? { type: "wait", for: "review", request } : { type: "done", output: {} },
      resume: () => ({ type: "done", output: {} }),
    };
    const harness = new EngineHarness(definition, { tools });
    await harness.execute();
    expect(harness.nodes.calls).toEqual(["run t#1", "item t#1/a"]);
    await harness.decide(1, "approve");
    expect(harness.nodes.calls).toEqual(["run t#1", "item t#1/a", "resume t#1/a", "item t#1/b", "resume t#1"]);
  });

  it("in parallel give their place to the next while they wait", async () => {
    const tools: ScriptedNode = {
      run: () => ({
        type: "wait",
        for: "items",
        request: { items: [...items, { key: "c", input: 3 }], concurrency: 2 },
      }),
      runItem: () => ({ type: "wait", for: "review", request }),
      resume: () => ({ type: "done", output: {} }),
    };
    const harness = new EngineHarness(definition, { tools });
    await harness.execute();
    expect(harness.nodes.calls).toEqual(["run t#1", "item t#1/a", "item t#1/b", "item t#1/c"]);
  });

  it("are retried by their own effect class: an at-most-once one never is", async () => {
    const calls: string[] = [];
    const tools: ScriptedNode = {
      effect: "idempotent",
      run: () => ({
        type: "wait",
        for: "items",
        request: {
          items: [
            { key: "safe", input: 1 },
            { key: "once", input: 2, effect: "at-most-once" },
          ],
          concurrency: 2,
        },
      }),
      runItem: (_call, { key }) => {
        calls.push(key);
        throw new OvenError("BUSY", "later", { retryable: true });
      },
      resume: () => ({ type: "done", output: {} }),
    };
    const harness = new EngineHarness(definition, { tools });
    const id = await harness.execute();
    await harness.elapse(10_000);
    await harness.elapse(10_000);
    expect(calls.filter((key) => key === "safe")).toHaveLength(3);
    expect(calls.filter((key) => key === "once")).toHaveLength(1);
    expect(harness.columns(id).status).toBe("completed");
  });
});

describe("a signal that comes while the lease is being given up", () => {
  it("is seen before the run is let go", async () => {
    const wait: ScriptedNode = {
      run: () => ({ type: "wait", for: "event", request: { event: "go", correlation: null, dueAt: null } }),
      resume: () => ({ type: "done", output: {} }),
    };
    const harness = new EngineHarness(
      { initial: "a", states: { a: { invoke: { src: "wait", onDone: "end" } }, end: { type: "final" } } },
      { wait },
    );
    const id = await harness.create();
    let sent = false;
    const racing = new Proxy(harness.store, {
      get(target, key) {
        if (key === "release" && !sent) {
          return async (...args: Parameters<typeof target.release>) => {
            sent = true;
            await target.sendSignal(
              id,
              { type: "event", data: { event: "go", payload: null, correlation: null } },
              "go",
            );
            return target.release(...args);
          };
        }
        const member: unknown = Reflect.get(target, key);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    await harness.restart(racing).advance(id);
    expect(harness.columns(id).status).toBe("completed");
  });
});
