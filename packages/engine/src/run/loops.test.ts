import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { cpuMsOf } from "@oven/testing";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";

const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as JsonObject }) };
const asks: ScriptedNode = {
  run: () => ({ type: "wait", for: "event", request: { event: "go", correlation: null, dueAt: null } }),
  resume: (_call, signal) => ({ type: "done", output: { said: signal.type === "event" ? signal.payload : null } }),
};
const fussy: ScriptedNode = {
  run: ({ input }) => {
    const { n } = input as { n: number };
    if (n % 2 === 0) throw new OvenError("EVEN", `${n} is even`);
    return { type: "done", output: { n } };
  },
};
const cel = (expression: string) => ({ type: "cel", params: { expression } });
const assign = (path: string, more: object) => ({ type: "assign", params: { path, ...more } });

function loopOf(loop: object, bodyStates: object, more: object = {}) {
  return {
    initial: "each",
    context: { total: 0 },
    states: {
      each: {
        loop: {
          type: "forEach",
          collection: "$.trigger.items",
          bodyInitial: "b1",
          bodyStates,
          onDone: "done",
          ...loop,
        },
      },
      done: { type: "final", output: { result: "$.each_output", total: "$.total" } },
      ...more,
    },
  };
}
const body = {
  b1: { invoke: { src: "echo", input: { n: "$.item", at: "$.index" }, onDone: "b2" } },
  b2: { type: "final" },
};
type Result = { result: { items: JsonObject[]; count: number; failed: number; truncated: boolean }; total: number };
const resultOf = (harness: EngineHarness, id: number): Result => harness.columns(id).output as Result; // cast: the final's output above

describe("forEach", () => {
  it("runs the body once per item, in order, with $.item and $.index; its result lists them [CONTRACTS §17: loops]", async () => {
    const harness = new EngineHarness(loopOf({}, body), { echo });
    const id = await harness.execute({ items: [5, 7] });
    expect(resultOf(harness, id).result).toEqual({
      items: [
        { index: 0, input: 5, output: { n: 5, at: 0 }, status: "completed" },
        { index: 1, input: 7, output: { n: 7, at: 1 }, status: "completed" },
      ],
      count: 2,
      failed: 0,
      truncated: false,
    });
    expect(harness.rows(id)).toEqual(["each#1 completed", "b1#1 completed", "b1#2 completed"]);
    expect(harness.store.run(id).rows.map(({ nodeType, parentNodeId }) => [nodeType, parentNodeId])).toEqual([
      ["core.forEach", null],
      ["echo", "each"],
      ["echo", "each"],
    ]);
    expect(harness.columns(id)).toMatchObject({ status: "completed", steps: 2 });
  });

  it("written with invoke core.forEach beside it gives the same result [004-273]", async () => {
    const plain = new EngineHarness(loopOf({}, body), { echo });
    const both = loopOf({ onDone: undefined }, body);
    Object.assign(both.states.each, { invoke: { src: "core.forEach", onDone: "done", onError: "done" } });
    const beside = new EngineHarness(both, { echo });
    const [one, other] = [await plain.execute({ items: [1, 2] }), await beside.execute({ items: [1, 2] })];
    expect(beside.columns(other).output).toEqual(plain.columns(one).output);
    expect(beside.rows(other)).toEqual(plain.rows(one));
  });

  it("over nothing completes at once", async () => {
    const harness = new EngineHarness(loopOf({}, body), { echo });
    const id = await harness.execute({ items: [] });
    expect(resultOf(harness, id).result).toEqual({ items: [], count: 0, failed: 0, truncated: false });
    expect(harness.nodes.calls).toEqual([]);
  });

  it("leaves what the body wrote visible afterwards, and sees what earlier iterations wrote [004-275]", async () => {
    const adding = {
      b1: { entry: [assign("$.total", { add: "$.item" }), assign("$.last", { value: "$.item" })], always: "b2" },
      b2: { type: "final", output: "$.total" },
    };
    const harness = new EngineHarness(loopOf({}, adding), {});
    const id = await harness.execute({ items: [1, 2, 3] });
    expect(resultOf(harness, id)).toMatchObject({ total: 6 });
    expect(resultOf(harness, id).result.items.map(({ output }) => output)).toEqual([1, 3, 6]);
    expect((await harness.context(id)).values.last).toBe(3);
  });

  it("takes the collection as it was when the loop began, also across a restart", async () => {
    const changing = {
      b1: { invoke: { src: "asks", onDone: { target: "b2", actions: [assign("$.items", { value: [] })] } } },
      b2: { type: "final", output: "$.item" },
    };
    const harness = new EngineHarness(
      { ...loopOf({ collection: "$.items" }, changing), context: { items: ["a", "b"], total: 0 } },
      { asks },
    );
    const id = await harness.execute();
    await harness.send(id, "go");
    harness.restart();
    await harness.send(id, "go");
    expect(resultOf(harness, id).result.items.map(({ output }) => output)).toEqual(["a", "b"]);
  });

  it("gives item and index names of their own, which nested loops see too; the innermost wins", async () => {
    const nested = {
      b1: {
        loop: {
          type: "forEach",
          collection: "$.row.cells",
          itemVariable: "cell",
          indexVariable: "column",
          bodyInitial: "c1",
          bodyStates: {
            c1: {
              invoke: {
                src: "echo",
                input: {
                  text: "{{ $.row.name }}{{ $.cell }}{{ $.line }}{{ $.column }}{{ $.index }}",
                  same: { $cel: "item + ctx.cell" },
                },
                onDone: "c2",
              },
            },
            c2: { type: "final", output: "$.c1_output.text" },
          },
          onDone: "b2",
        },
      },
      b2: { type: "final", output: { $cel: "string(index) + ctx.row.name" } },
    };
    const harness = new EngineHarness(loopOf({ itemVariable: "row", indexVariable: "line" }, nested), { echo });
    const id = await harness.execute({
      items: [
        { name: "A", cells: ["x"] },
        { name: "B", cells: ["y", "z"] },
      ],
    });
    expect(harness.columns(id).errorInfo).toBeNull();
    expect(resultOf(harness, id).result.items.map(({ output }) => output)).toEqual(["0A", "1B"]);
    const texts = harness.store.run(id).rows.filter(({ nodeId }) => nodeId === "c1");
    expect(texts.map(({ output }) => output)).toEqual([
      { text: "Ax000", same: "xx" },
      { text: "By100", same: "yy" },
      { text: "Bz111", same: "zz" },
    ]);
    expect(harness.rows(id).filter((row) => row.startsWith("b1"))).toEqual(["b1#1 completed", "b1#2 completed"]);
  });

  it("without an output on the final gives the last node's, also that of an inner loop or composite", async () => {
    const composite: ScriptedNode = {
      expand: () => ({
        initial: "llm",
        states: { llm: { invoke: { src: "echo", input: { n: "$.item" }, onDone: "end" } }, end: { type: "final" } },
        output: { made: "$.item" },
      }),
    };
    const harness = new EngineHarness(
      loopOf({}, { b1: { invoke: { src: "composite", onDone: "b2" } }, b2: { type: "final" } }),
      { echo, composite },
    );
    const id = await harness.execute({ items: ["p"] });
    expect(resultOf(harness, id).result.items[0]?.output).toEqual({ made: "p" });
    expect(harness.rows(id)).toEqual(["each#1 completed", "b1#1 completed", "b1.llm#1 completed"]);
  });

  it("gives an iteration in which no node ran no output, not that of the one before", async () => {
    const skipping = {
      b0: { always: [{ target: "b2", guard: cel("item == 0") }, { target: "b1" }] },
      b1: { invoke: { src: "echo", input: { n: "$.item" }, onDone: "b2" } },
      b2: { type: "final" },
    };
    const harness = new EngineHarness(loopOf({ bodyInitial: "b0" }, skipping), { echo });
    const id = await harness.execute({ items: [5, 0, 6] });
    expect(resultOf(harness, id).result.items.map(({ output }) => output)).toEqual([{ n: 5 }, null, { n: 6 }]);
  });

  it("pauses in the body for a person or an event and goes on after each", async () => {
    const waiting = { b1: { invoke: { src: "asks", onDone: "b2" } }, b2: { type: "final" } };
    const harness = new EngineHarness(loopOf({}, waiting), { asks });
    const id = await harness.execute({ items: [1, 2] });
    expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "b1" });
    expect((await harness.context(id)).values.each_output).toMatchObject({
      count: 0,
      items: [{ status: "pending" }, {}],
    });
    await harness.send(id, "go", "one");
    expect((await harness.context(id)).values.each_output).toMatchObject({ count: 1 });
    await harness.send(id, "go", "two");
    expect(resultOf(harness, id).result.items.map(({ output }) => output)).toEqual([{ said: "one" }, { said: "two" }]);
  });

  it("that only counts may go round 10,000 times in one move", async () => {
    const counting = { b1: { entry: [assign("$.total", { add: 1 })], always: "b2" }, b2: { type: "final" } };
    const harness = new EngineHarness(loopOf({ maxIterations: 10_000 }, counting), {});
    const id = await harness.execute({ items: Array.from({ length: 10_000 }, (_, index) => index) });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { total: 10_000 } });
  });

  it("of something that is not a list, or is missing, is the loop's error", async () => {
    const caught = loopOf({ onError: "failed" }, body, { failed: { type: "final", output: "$.each_error.code" } });
    const harness = new EngineHarness(caught, { echo });
    expect(harness.columns(await harness.execute({ items: 5 }))).toMatchObject({ output: "INPUT_INVALID" });
    expect(harness.columns(await harness.execute({}))).toMatchObject({ output: "MISSING_VALUE" });
    const bare = new EngineHarness(loopOf({}, body), { echo });
    const id = await bare.execute({});
    expect(bare.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "MISSING_VALUE", nodeId: "each" } });
    expect(bare.rows(id)).toEqual(["each#1 failed"]);
  });

  it("self-targeting or entered again runs as a new visit with a fresh result", async () => {
    const again = loopOf(
      { onDone: [{ target: "done", guard: cel("ctx.rounds > 1") }, { target: "each" }] },
      { b1: { invoke: { src: "echo", input: { n: "$.item" }, onDone: "b2" } }, b2: { type: "final" } },
    );
    const states = { ...again.states, each: { ...again.states.each, entry: [assign("$.rounds", { add: 1 })] } };
    const harness = new EngineHarness({ ...again, states, context: { rounds: 0, total: 0 } }, { echo });
    const id = await harness.execute({ items: [1] });
    expect(harness.rows(id)).toEqual(["each#1 completed", "b1#1 completed", "each#2 completed", "b1#2 completed"]);
    expect(resultOf(harness, id).result.count).toBe(1);
  });
});

describe("an error in the body of a loop", () => {
  const failing = { b1: { invoke: { src: "fussy", input: { n: "$.item" }, onDone: "b2" } }, b2: { type: "final" } };
  const caught = { caught: { type: "final", output: { error: "$.each_error", sofar: "$.each_output" } } };

  it("reaches the loop's onError unless it is handled inside [CONTRACTS §17: loops]", async () => {
    const harness = new EngineHarness(loopOf({ onError: "caught" }, failing, caught), { fussy });
    const id = await harness.execute({ items: [1, 2, 3] });
    expect(harness.columns(id).output).toMatchObject({
      error: { code: "EVEN", nodeId: "b1" },
      sofar: { count: 1, items: [{ status: "completed" }, { status: "pending" }, { status: "pending" }] },
    });
    expect(harness.rows(id)).toEqual(["each#1 failed", "b1#1 completed", "b1#2 failed"]);
    const inside = {
      b1: { invoke: { src: "fussy", input: { n: "$.item" }, onDone: "b2", onError: "b3" } },
      b2: { type: "final" },
      b3: { type: "final", output: "$.b1_error.code" },
    };
    const handled = new EngineHarness(loopOf({}, inside), { fussy });
    const other = await handled.execute({ items: [1, 2] });
    expect(resultOf(handled, other).result).toMatchObject({
      failed: 0,
      items: [{}, { output: "EVEN", status: "completed" }],
    });
  });

  it("fails the run when nothing handles it, and the loop's row with it", async () => {
    const harness = new EngineHarness(loopOf({}, failing), { fussy });
    const id = await harness.execute({ items: [2] });
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "EVEN", nodeId: "b1" } });
    expect(harness.rows(id)).toEqual(["each#1 failed", "b1#1 failed"]);
  });

  it("in the very first step shows the loop's row before the row of the step", async () => {
    const missing = { b1: { invoke: { src: "echo", input: { n: "$.nowhere" }, onDone: "b2" } }, b2: { type: "final" } };
    const harness = new EngineHarness(loopOf({}, missing), { echo });
    const id = await harness.execute({ items: [1] });
    expect(harness.rows(id)).toEqual(["each#1 failed", "b1#1 failed"]);
    expect(harness.store.run(id).rows[1]).toMatchObject({ parentNodeId: "each", error: { code: "MISSING_VALUE" } });
  });

  it("with continueOnError is that item's; the others run", async () => {
    const harness = new EngineHarness(loopOf({ continueOnError: true }, failing), { fussy });
    const id = await harness.execute({ items: [1, 2, 3] });
    expect(resultOf(harness, id).result).toEqual({
      items: [
        { index: 0, input: 1, output: { n: 1 }, status: "completed" },
        {
          index: 1,
          input: 2,
          output: null,
          status: "failed",
          error: { code: "EVEN", nodeId: "b1", message: "2 is even" },
        },
        { index: 2, input: 3, output: { n: 3 }, status: "completed" },
      ],
      count: 3,
      failed: 1,
      truncated: false,
    });
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: null });
  });

  it("with continueOnError covers expressions: an input or a final's output that cannot be computed", async () => {
    const broken = {
      b1: { invoke: { src: "echo", input: { n: "$.item.n" }, onDone: "b2" } },
      b2: { type: "final", output: "$.item.out" },
    };
    const harness = new EngineHarness(loopOf({ continueOnError: true }, broken), { echo });
    const id = await harness.execute({ items: [{}, { n: 1 }, { n: 1, out: "yes" }] });
    expect(resultOf(harness, id).result.items.map(({ status, output }) => [status, output])).toEqual([
      ["failed", null],
      ["failed", null],
      ["completed", "yes"],
    ]);
    expect(resultOf(harness, id).result.failed).toBe(2);
  });
});

describe("while", () => {
  const counting = (loop: object) =>
    loopOf(
      { type: "while", collection: undefined, condition: cel("ctx.total < 3"), ...loop },
      {
        b1: {
          invoke: {
            src: "echo",
            input: { n: "$.index" },
            onDone: { target: "b2", actions: [assign("$.total", { add: 1 })] },
          },
        },
        b2: { type: "final" },
      },
    );

  it("asks its condition of the live context before each iteration [004-276]", async () => {
    const harness = new EngineHarness(counting({}), { echo });
    const id = await harness.execute();
    expect(resultOf(harness, id)).toEqual({
      total: 3,
      result: {
        items: [0, 1, 2].map((index) => ({ index, input: null, output: { n: index }, status: "completed" })),
        count: 3,
        failed: 0,
        truncated: false,
      },
    });
    expect(harness.store.run(id).rows[0]).toMatchObject({ nodeId: "each", nodeType: "core.whileLoop" });
  });

  it("knows the index to come in its condition, and may not begin at all", async () => {
    const twice = new EngineHarness(counting({ condition: cel("index < 2") }), { echo });
    expect(resultOf(twice, await twice.execute()).result.count).toBe(2);
    const none = new EngineHarness(counting({ condition: cel("false") }), { echo });
    expect(resultOf(none, await none.execute()).result).toEqual({ items: [], count: 0, failed: 0, truncated: false });
  });

  it("whose condition cannot be decided is the loop's error", async () => {
    const harness = new EngineHarness(counting({ condition: cel("ctx.total") }), { echo });
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ errorInfo: { code: "EXPRESSION_ERROR", nodeId: "each" } });
  });

  it("inside a forEach keeps the outer item and has its own index", async () => {
    const inner = {
      b1: {
        loop: {
          type: "while",
          condition: cel("index < item"),
          bodyInitial: "c1",
          bodyStates: {
            c1: { invoke: { src: "echo", input: { item: "$.item", at: "$.index" }, onDone: "c2" } },
            c2: { type: "final" },
          },
          onDone: "b2",
        },
      },
      b2: { type: "final", output: "$.b1_output.count" },
    };
    const harness = new EngineHarness(loopOf({}, inner), { echo });
    const id = await harness.execute({ items: [2, 0, 1] });
    expect(resultOf(harness, id).result.items.map(({ output }) => output)).toEqual([2, 0, 1]);
    const seen = harness.store.run(id).rows.flatMap(({ nodeId, output }) => (nodeId === "c1" ? [output] : []));
    expect(seen).toEqual([
      { item: 2, at: 0 },
      { item: 2, at: 1 },
      { item: 1, at: 0 },
    ]);
  });
});

describe("the limits of a loop", () => {
  const many = (count: number): Json => Array.from({ length: count }, (_, index) => index);

  it("are 100 iterations unless it says otherwise; more is an error before anything ran [004-274] [CONTRACTS §17: loops]", async () => {
    const harness = new EngineHarness(loopOf({}, body), { echo });
    expect(harness.columns(await harness.execute({ items: many(100) })).status).toBe("completed");
    const before = harness.nodes.calls.length;
    const id = await harness.execute({ items: many(101) });
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      outcome: "limit",
      errorInfo: { code: "LOOP_LIMIT" },
    });
    expect(harness.nodes.calls).toHaveLength(before);
    const set = new EngineHarness(loopOf({ maxIterations: 2, onError: "over" }, body, { over: { type: "final" } }), {
      echo,
    });
    expect(set.columns(await set.execute({ items: many(3) }))).toMatchObject({
      status: "completed",
      currentState: "over",
    });
  });

  it("with onLimit continue cut the loop short and say so", async () => {
    const each = new EngineHarness(loopOf({ maxIterations: 2, onLimit: "continue" }, body), { echo });
    const id = await each.execute({ items: many(5) });
    expect(resultOf(each, id).result).toMatchObject({ count: 2, truncated: true });
    expect(resultOf(each, id).result.items).toHaveLength(2);
    const loop = { type: "while", collection: undefined, condition: cel("true"), maxIterations: 3 };
    const forever = new EngineHarness(
      loopOf({ ...loop, onLimit: "continue" }, { b1: { always: "b2" }, b2: { type: "final" } }),
      {},
    );
    expect(resultOf(forever, await forever.execute()).result).toMatchObject({ count: 3, truncated: true });
    const fails = new EngineHarness(loopOf(loop, { b1: { always: "b2" }, b2: { type: "final" } }), {});
    expect(fails.columns(await fails.execute())).toMatchObject({ status: "failed", errorInfo: { code: "LOOP_LIMIT" } });
  });

  it("in active time are 50 s unless it says otherwise: an error of the loop, its node cancelled [004-274]", async () => {
    const never: ScriptedNode = { run: () => new Promise(() => undefined) };
    const slow = { b1: { invoke: { src: "never", onDone: "b2" } }, b2: { type: "final" } };
    for (const [loop, limit] of [
      [{}, 50_000],
      [{ timeoutMs: 2_000 }, 2_000],
    ] as const) {
      const harness = new EngineHarness(
        loopOf({ ...loop, continueOnError: true, onError: "late" }, slow, {
          late: { type: "final", output: "$.each_error.code" },
        }),
        { never },
      );
      const id = await harness.create({ items: [1] });
      const work = harness.engine.advance(id);
      await harness.clock.advance(limit - 1);
      expect(harness.columns(id).status).toBe("running");
      await harness.clock.advance(1);
      await work;
      expect(harness.columns(id)).toMatchObject({ status: "completed", output: "NODE_TIMEOUT" });
      expect(harness.rows(id)).toEqual(["each#1 failed", "b1#1 cancelled"]);
    }
  });

  it("stop loops of loops that only count instead of hanging", async () => {
    const quiet = (id: string, inner?: object) => ({
      [`${id}1`]: inner ?? { always: `${id}2` },
      [`${id}2`]: { type: "final" },
    });
    const list = { $cel: "trigger.items" };
    const inner = {
      loop: {
        type: "forEach",
        collection: list,
        maxIterations: 10_000,
        bodyInitial: "i1",
        bodyStates: quiet("i"),
        onDone: "o2",
      },
    };
    const harness = new EngineHarness(loopOf({ maxIterations: 10_000, bodyInitial: "o1" }, quiet("o", inner)), {});
    let id = 0;
    const spent = await cpuMsOf(async () => {
      id = await harness.execute({ items: many(300) });
    });
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      outcome: "limit",
      errorInfo: { code: "TRANSITION_LIMIT" },
    });
    expect(spent).toBeLessThan(5_000);
  });
});
