import type { JsonObject } from "@oven/contract";
import { OvenError } from "@oven/contract";
import type { ItemRequest, NodeResult } from "@oven/contract/node";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { settle } from "../testing/simulated-clock.ts";

const item = (key: string, more: Partial<ItemRequest> = {}): ItemRequest => ({ key, input: { n: key }, ...more });
const tools = (items: ItemRequest[], concurrency: number, more: ScriptedNode = {}): ScriptedNode => ({
  run: () => ({ type: "wait", for: "items", request: { items, concurrency } }),
  runItem: (_call, { key }) => ({ type: "done", output: { did: key } }),
  resume: (_call, signal): NodeResult => {
    if (signal.type === "items")
      return {
        type: "done",
        output: { results: signal.items.map(({ key, status, output, error }) => ({ key, status, output, error })) },
      };
    if (signal.type === "decision") return { type: "done", output: { decided: signal.action } };
    throw new Error("unexpected signal");
  },
  ...more,
});
const one = (src: string) => ({
  initial: "t",
  states: { t: { invoke: { src, onDone: "done" } }, done: { type: "final", output: "$.t_output.results" } },
});

describe("items of a waiting node", () => {
  it("run in parallel up to the limit, each in its own row, and their results come back in order", async () => {
    let running = 0;
    let most = 0;
    const slow = tools([item("a"), item("b"), item("c")], 2, {
      runItem: async (_call, { key }) => {
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
        return { type: "done", output: { did: key } };
      },
    });
    const harness = new EngineHarness(one("slow"), { slow });
    const id = await harness.execute();
    expect(most).toBe(2);
    expect(harness.columns(id).output).toMatchObject([
      { key: "a", output: { did: "a" } },
      { key: "b" },
      { key: "c", status: "completed" },
    ]);
    expect(harness.rows(id)).toEqual(["t#1 completed", "t#1/a completed", "t#1/b completed", "t#1/c completed"]);
    expect(harness.store.run(id).rows.map(({ input }) => input)).toEqual([{}, { n: "a" }, { n: "b" }, { n: "c" }]);
    expect(harness.columns(id).steps).toBe(1);
  });

  it("that fail are results too, for the node to judge", async () => {
    const some = tools([item("a"), item("b")], 2, {
      runItem: (_call, { key }): NodeResult => {
        if (key === "a") throw new OvenError("NOT_FOUND", "no such order");
        return { type: "done", output: {} };
      },
    });
    const harness = new EngineHarness(one("some"), { some });
    const id = await harness.execute();
    expect(harness.columns(id).output).toMatchObject([
      { key: "a", status: "failed", error: { code: "NOT_FOUND" } },
      { key: "b", status: "completed" },
    ]);
    expect(harness.columns(id).status).toBe("completed");
  });

  it("wait for people one by one and are decided in any order; the others go on, and nothing runs twice", async () => {
    const approval = tools([item("free"), item("x"), item("y")], 3, {
      runItem: (_call, { key }): NodeResult =>
        key === "free"
          ? { type: "done", output: {} }
          : {
              type: "wait",
              for: "review",
              request: {
                title: key,
                proposal: { key },
                schema: null,
                context: null,
                tool: "orders.refund",
                assignees: [],
                actions: ["approve"],
                dueAt: null,
              },
            },
    });
    const harness = new EngineHarness(one("approval"), { approval });
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "paused" });
    expect(harness.columns(id).checkpoint?.waiting.map(({ item: key }) => key)).toEqual(["x", "y"]);
    await harness.decide(2, "approve");
    expect(harness.columns(id).status).toBe("paused");
    harness.restart();
    await harness.decide(1, "approve");
    expect(harness.columns(id).status).toBe("completed");
    expect(harness.columns(id).output).toMatchObject([
      { key: "free" },
      { key: "x", output: { decided: "approve" } },
      { key: "y", output: { decided: "approve" } },
    ]);
    expect(harness.nodes.calls).toEqual([
      "run t#1",
      "item t#1/free",
      "item t#1/x",
      "item t#1/y",
      "resume t#1/y",
      "resume t#1/x",
      "resume t#1",
    ]);
  });

  it("that a person must approve are not made in a dry run", async () => {
    const request = { title: "?", proposal: {}, schema: null, context: null, tool: "orders.look", assignees: [] };
    const asking: NodeResult = {
      type: "wait",
      for: "review",
      request: { ...request, actions: ["approve"], dueAt: null },
    };
    const approval = tools([item("x")], 1, { runItem: () => asking });
    const harness = new EngineHarness(one("approval"), { approval });
    harness.nodes.examples.approval = { from: "an example" };
    const id = await harness.execute({}, { dryRun: true });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: [{ output: { from: "an example" } }] });
    expect(harness.nodes.calls).toEqual(["run t#1", "item t#1/x", "resume t#1"]);
  });

  it("go one after the other when the limit is one, and a wait without items goes on at once", async () => {
    const ordered = tools([item("a"), item("b")], 1);
    const harness = new EngineHarness(one("ordered"), { ordered });
    await harness.execute();
    expect(harness.nodes.calls).toEqual(["run t#1", "item t#1/a", "item t#1/b", "resume t#1"]);
    const empty = new EngineHarness(one("none"), { none: tools([], 1) });
    expect(empty.columns(await empty.execute())).toMatchObject({ status: "completed", output: [] });
  });
});

/** A model that asks for a tool twice, then answers. */
const llm: ScriptedNode = {
  run: ({ node }) => ({
    type: "done",
    output: { text: `reply ${node.visit}`, calls: node.visit < 3 ? 1 : 0 },
    spend: { tokenUsage: { input: 10, output: 2, total: 12 }, costMicros: 5 },
  }),
};
const toolLoop: ScriptedNode = {
  expand: ({ stateId, input }) => ({
    initial: "llm",
    states: {
      llm: {
        invoke: {
          src: "llm",
          input: { prompt: input.prompt ?? "" },
          onDone: [
            {
              target: "tools",
              guard: {
                type: "condition",
                params: { key: `$["${stateId}.llm_output"].calls`, operator: ">", value: 0 },
              },
            },
            { target: "end" },
          ],
        },
      },
      tools: { invoke: { src: "tools", onDone: "llm" } },
      end: { type: "final" },
    },
    output: { text: `$["${stateId}.llm_output"].text`, iterations: 3 },
  }),
};
const loop = (more: object = {}) => ({
  initial: "draft",
  states: {
    draft: { invoke: { src: "toolLoop", input: { prompt: "Hello {{ $.trigger.name }}" }, onDone: "done", ...more } },
    done: { type: "final", output: "$.draft.text" },
    caught: { type: "final", output: "$.draft_error.nodeId" },
  },
});
const withoutCaught = ({ initial, states }: ReturnType<typeof loop>) => ({
  initial,
  states: { draft: states.draft, done: states.done },
});

describe("a composite node", () => {
  it("runs as inner states with a parent row that sums their usage and holds the output", async () => {
    const harness = new EngineHarness(withoutCaught(loop()), { toolLoop, llm, tools: tools([item("call_1")], 4) });
    const id = await harness.execute({ name: "Ada" });
    expect(harness.columns(id)).toMatchObject({
      status: "completed",
      output: "reply 3",
      tokenUsage: { input: 30, output: 6, total: 36 },
      costMicros: 15,
      steps: 5,
    });
    expect(harness.rows(id)).toEqual([
      "draft#1 completed",
      "draft.llm#1 completed",
      "draft.tools#1 completed",
      "draft.tools#1/call_1 completed",
      "draft.llm#2 completed",
      "draft.tools#2 completed",
      "draft.tools#2/call_1 completed",
      "draft.llm#3 completed",
    ]);
    expect(harness.store.run(id).rows.map(({ parentNodeId }) => parentNodeId)).toEqual([
      null,
      "draft",
      "draft",
      "draft.tools",
      "draft",
      "draft",
      "draft.tools",
      "draft",
    ]);
    const { values } = await harness.context(id);
    expect(values["draft.llm_output"]).toMatchObject({ text: "reply 3" });
    expect(values.draft_output).toEqual({ text: "reply 3", iterations: 3 });
  });

  it("shows the inner state it is at", async () => {
    const waiting: ScriptedNode = {
      run: () => ({ type: "wait", for: "event", request: { event: "e", correlation: null, dueAt: null } }),
    };
    const harness = new EngineHarness(withoutCaught(loop()), { toolLoop, llm: waiting, tools: tools([], 1) });
    const id = await harness.execute({ name: "Ada" });
    expect(harness.columns(id)).toMatchObject({ currentState: "draft.llm", stateValue: { draft: "llm" } });
  });

  it("fails as a whole when an inner node fails: its onError is taken and its row says why", async () => {
    const bad: ScriptedNode = {
      run: () => {
        throw new OvenError("BROKEN", "model down");
      },
    };
    const harness = new EngineHarness(loop({ onError: "caught" }), { toolLoop, llm: bad, tools: tools([], 1) });
    const id = await harness.execute({ name: "Ada" });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "draft.llm" });
    expect(harness.rows(id)).toEqual(["draft#1 failed", "draft.llm#1 failed"]);
    const unhandled = new EngineHarness(withoutCaught(loop()), { toolLoop, llm: bad, tools: tools([], 1) });
    const other = await unhandled.execute({ name: "Ada" });
    expect(unhandled.columns(other)).toMatchObject({
      status: "failed",
      errorInfo: { code: "BROKEN", nodeId: "draft.llm" },
    });
    expect(unhandled.rows(other)).toEqual(["draft#1 failed", "draft.llm#1 failed"]);
  });

  it("hands its retry policy on to inner nodes, and its timeoutMs bounds the whole", async () => {
    let calls = 0;
    const flaky: ScriptedNode = {
      retry: { maxAttempts: 1 },
      run: () => {
        calls += 1;
        if (calls === 1) throw new OvenError("BUSY", "later", { retryable: true });
        return { type: "done", output: { text: "ok", calls: 0 } };
      },
    };
    const harness = new EngineHarness(withoutCaught(loop({ retry: { maxAttempts: 2, initialMs: 100 } })), {
      toolLoop,
      llm: flaky,
      tools: tools([], 1),
    });
    const id = await harness.execute({ name: "Ada" });
    await harness.elapse(1_000);
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "ok" });

    const never: ScriptedNode = { run: () => new Promise(() => undefined) };
    const slow = new EngineHarness(loop({ timeoutMs: 2_000, onError: "caught" }), {
      toolLoop,
      llm: never,
      tools: tools([], 1),
    });
    const other = await slow.create({ name: "Ada" });
    const work = slow.engine.advance(other);
    await slow.clock.advance(2_000);
    await work;
    expect(slow.columns(other)).toMatchObject({ status: "completed", output: "draft" });
    expect(slow.rows(other)).toEqual(["draft#1 failed", "draft.llm#1 cancelled"]);
  });
});

describe("parallel regions", () => {
  const region = (src: string) => ({
    initial: `${src}_run`,
    states: {
      [`${src}_run`]: { invoke: { src, onDone: `${src}_end` } },
      [`${src}_end`]: { type: "final", output: `$.${src}_run_output.v` },
    },
  });
  const definition = {
    initial: "both",
    states: {
      both: { type: "parallel", states: { left: region("l"), right: region("r") }, onDone: "done" },
      done: { type: "final", output: "$.both_output" },
    },
  };
  const answer = (v: string): ScriptedNode => ({
    run: async () => {
      await settle();
      return { type: "done", output: { v } as JsonObject };
    },
  });

  it("run at once and join in onDone with an object by region", async () => {
    const harness = new EngineHarness(definition, { l: answer("L"), r: answer("R") });
    const id = await harness.execute();
    expect(harness.nodes.calls).toEqual(["run l_run#1", "run r_run#1"]);
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { left: "L", right: "R" } });
  });

  it("fail the run together when one has an unhandled error; the other's node is cancelled and shown so", async () => {
    const harness = new EngineHarness(definition, {
      l: {
        run: () => {
          throw new OvenError("BROKEN", "left broke");
        },
      },
      r: { run: () => new Promise(() => undefined) },
    });
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "BROKEN", nodeId: "l_run" } });
    expect(harness.rows(id)).toEqual(["l_run#1 failed", "r_run#1 cancelled"]);
  });

  it("at the root end the run with an object by region", async () => {
    const harness = new EngineHarness(
      { type: "parallel", states: { left: region("l"), right: region("r") } },
      { l: answer("L"), r: answer("R") },
    );
    expect(harness.columns(await harness.execute())).toMatchObject({
      status: "completed",
      output: { left: "L", right: "R" },
    });
  });
});

describe("more items than a node may have", () => {
  const many = (count: number, key = (n: number) => `k${n}`): ScriptedNode => ({
    run: () => ({
      type: "wait",
      for: "items",
      request: { concurrency: 10, items: Array.from({ length: count }, (_, n) => ({ key: key(n), input: n })) },
    }),
    runItem: () => ({ type: "done", output: 1 }),
    resume: (_call, signal) => ({ type: "done", output: { count: signal.type === "items" ? signal.items.length : 0 } }),
  });
  const definition = {
    initial: "a",
    states: { a: { invoke: { src: "many", onDone: "done" } }, done: { type: "final", output: "$.a_output.count" } },
  };

  it("fail the run with FANOUT_LIMIT and the outcome limit; as many as it may have are done [CONTRACTS §17: limits]", async () => {
    const harness = new EngineHarness(definition, { many: many(1_001) });
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      outcome: "limit",
      errorInfo: { code: "FANOUT_LIMIT" },
    });
    expect(harness.nodes.calls).toEqual(["run a#1"]);
    const enough = new EngineHarness(definition, { many: many(1_000) });
    expect(enough.columns(await enough.execute())).toMatchObject({ status: "completed", output: 1_000 });
  });

  it("with one key twice are refused", async () => {
    const harness = new EngineHarness(definition, { many: many(2, () => "same") });
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "ITEM_KEYS" } });
  });
});
