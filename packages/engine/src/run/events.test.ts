import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";

const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as { n: number } }) };
const never: ScriptedNode = { run: () => new Promise(() => undefined) };
const waits: ScriptedNode = {
  run: () => ({ type: "wait", for: "event", request: { event: "paid", correlation: null, dueAt: null } }),
  resume: (_call, signal) => ({ type: "done", output: { got: signal.type === "event" ? signal.payload : null } }),
};
const condition = (key: string, operator: string, value: unknown) => ({
  type: "condition",
  params: { key, operator, value },
});
const assign = (path: string, value: unknown) => ({ type: "assign", params: { path, value } });

const order = {
  initial: "open",
  context: { amount: 0 },
  states: {
    open: {
      on: {
        paid: [
          {
            target: "packing",
            guard: condition("$.event.payload.amount", ">=", 100),
            actions: [assign("$.amount", "$.event.payload.amount")],
          },
          { target: "short", guard: { type: "cel", params: { expression: "event.payload.amount > 0" } } },
        ],
        "note.*": { actions: [assign("$.note", "$.event")] },
      },
    },
    packing: { invoke: { src: "echo", input: { n: "$.amount" }, onDone: "shipped" } },
    short: { type: "final", outcome: "short" },
    shipped: { type: "final", output: "$.packing_output.n" },
  },
};

describe("on", () => {
  it("waits for an outside event as a paused run that names what would move it", async () => {
    const harness = new EngineHarness(order, { echo });
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({
      status: "paused",
      currentState: "open",
      checkpoint: { waiting: [{ nodeId: "open", for: "event", reviewId: null, events: ["paid", "note.*"] }] },
    });
    expect(harness.events(id)).toEqual(["execution.started", "execution.paused open"]);
    await harness.send(id, "paid", { amount: 120 });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: 120, checkpoint: null });
    expect(harness.events(id)).toContain("execution.resumed");
  });

  it("picks the branch whose guard passes on $.event or CEL's event", async () => {
    const harness = new EngineHarness(order, { echo });
    const id = await harness.execute();
    await harness.send(id, "paid", { amount: 5 });
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "short" });
  });

  it("stays where it is when no guard passes, nothing handles the event, or it only acts; all of it is in the log", async () => {
    const harness = new EngineHarness(order, { echo });
    const id = await harness.execute();
    await harness.send(id, "paid", { amount: 0 });
    await harness.send(id, "shipped");
    await harness.send(id, "note.call.later", "on Monday", "c1");
    expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "open" });
    expect((await harness.context(id)).values.note).toEqual({
      name: "note.call.later",
      payload: "on Monday",
      correlation: "c1",
    });
    const said = harness.store.run(id).events.filter(({ event }) => event === "log");
    expect(said.map(({ fields }) => fields.message)).toEqual([
      "Nothing was waiting for the event paid",
      "Nothing was waiting for the event shipped",
      "Took the event note.call.later",
    ]);
    expect(harness.store.run(id).signals).toEqual([]);
  });

  it("of a state around a running node leaves it: the node is cancelled and its late result changes nothing", async () => {
    const harness = new EngineHarness(
      {
        initial: "work",
        states: {
          work: {
            initial: "a",
            on: { stop: "stopped" },
            onDone: "done",
            states: { a: { invoke: { src: "never", onDone: "e" } }, e: { type: "final" } },
          },
          stopped: { type: "final", outcome: "stopped_by_event" },
          done: { type: "final" },
        },
      },
      { never },
    );
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await harness.clock.advance(0);
    expect(harness.columns(id).status).toBe("running");
    await harness.send(id, "stop");
    await work;
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "stopped_by_event" });
    expect(harness.rows(id)).toEqual(["a#1 cancelled"]);
  });

  it("of the definition is open wherever the run is", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        on: { abort: "aborted", "*": { actions: [assign("$.seen", "$.event.name")] } },
        states: {
          a: { on: { go: "b" } },
          b: { on: { go: "done" } },
          done: { type: "final" },
          aborted: { type: "final", output: "$.seen" },
        },
      },
      {},
    );
    const id = await harness.execute();
    await harness.send(id, "go");
    await harness.send(id, "whatever.else");
    expect(harness.columns(id).checkpoint?.waiting[0]?.events).toEqual(["go", "abort", "*"]);
    await harness.send(id, "abort");
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "whatever.else" });
  });

  it("never takes the engine's own events, not even as *", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        on: { "*": "stolen" },
        states: {
          a: { invoke: { src: "echo", input: { n: 1 }, onDone: "done" } },
          done: { type: "final" },
          stolen: { type: "final", outcome: "failed" },
        },
      },
      { echo },
    );
    expect(harness.columns(await harness.execute())).toMatchObject({ status: "completed" });
  });

  it("is taken by the innermost: a waiting node before the states around it, another region all the same", async () => {
    const harness = new EngineHarness(
      {
        initial: "both",
        states: {
          both: {
            type: "parallel",
            onDone: "done",
            on: { paid: "wrong" },
            states: {
              left: {
                initial: "l",
                on: { paid: "wrong" },
                states: { l: { invoke: { src: "waits", onDone: "le" } }, le: { type: "final" } },
              },
              right: { initial: "r", states: { r: { on: { paid: "re" } }, re: { type: "final" } } },
            },
          },
          wrong: { type: "final", outcome: "failed" },
          done: { type: "final", output: "$.l_output.got" },
        },
      },
      { waits },
    );
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "paused" });
    expect(harness.columns(id).checkpoint?.waiting.map(({ nodeId }) => nodeId)).toEqual(["l", "r"]);
    await harness.send(id, "paid", 7);
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: 7 });
  });

  it("survives a restart between the pause and the event", async () => {
    const harness = new EngineHarness(order, { echo });
    const id = await harness.execute();
    harness.restart();
    await harness.send(id, "paid", { amount: 100 });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: 100 });
  });

  it("whose action cannot be computed is the state's error", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: {
            initial: "w",
            onError: "failed",
            onDone: "failed",
            states: {
              w: { on: { go: { target: "e", actions: [assign("$.x", "$.event.payload.missing")] } } },
              e: { type: "final" },
            },
          },
          failed: { type: "final", output: "$.a_error.code" },
        },
      },
      {},
    );
    const id = await harness.execute();
    await harness.send(id, "go", {});
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "MISSING_VALUE" });
  });
});
