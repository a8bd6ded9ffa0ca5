import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { withCommit } from "../testing/with-commit.ts";
import { validateDefinition } from "../validate/validate-definition.ts";

/** Books by name, cancels what it is given, and fails where it is asked to. */
class Bookings {
  readonly booked: string[] = [];
  readonly cancelled: Json[] = [];
  readonly refused = new Set<string>();
  readonly nodes: Record<string, ScriptedNode> = {
    book: {
      effect: "idempotent",
      retry: { maxAttempts: 1 },
      run: ({ input }) => {
        const { what } = input as { what: string };
        if (this.refused.has(what)) throw new Error(`${what} cannot be had`);
        this.booked.push(what);
        return { type: "done", output: { id: `${what}-${this.booked.length}` } };
      },
    },
    cancel: {
      effect: "idempotent",
      retry: { maxAttempts: 1 },
      run: ({ input }) => {
        const { id } = input as JsonObject;
        if (this.refused.has(String(id))) throw new Error(`${String(id)} stays`);
        this.cancelled.push(id ?? null);
        return { type: "done", output: { cancelled: id ?? null } };
      },
    },
    ask: {
      run: () => ({
        ...{ type: "wait", for: "review" },
        request: {
          ...{ title: "Cancel?", proposal: null, schema: null, context: null, tool: null, assignees: [] },
          ...{ actions: ["approve", "reject"], dueAt: null },
        },
      }),
      resume: (_call, signal) => ({ type: "done", output: { action: (signal as { action: string }).action } }),
    },
  };
}

const cancels = { invoke: { src: "cancel", input: { id: "$.undo.output.id" }, onDone: "undone" } };
const book = (what: string, onDone: string, undo?: string) => ({
  invoke: { src: "book", input: { what }, onDone },
  ...(undo === undefined ? {} : { undo }),
});
const trip = {
  initial: "flight",
  states: {
    flight: book("flight", "hotel", "cancel_flight"),
    hotel: book("hotel", "car", "cancel_hotel"),
    car: book("car", "done"),
    done: { type: "final" },
    cancel_flight: cancels,
    cancel_hotel: cancels,
    undone: { type: "final" },
  },
};

/** Decides the only review. */
async function decide(harness: EngineHarness, action: string): Promise<void> {
  const [id] = harness.store.reviews.keys();
  await harness.decide(id ?? 0, action);
}

function started(definition: object = trip, refused: string[] = ["car"]): { harness: EngineHarness; desk: Bookings } {
  const desk = new Bookings();
  for (const what of refused) desk.refused.add(what);
  return { harness: new EngineHarness(definition, desk.nodes), desk };
}

describe("what a run has done", () => {
  it("is undone in reverse order when it fails, and the run ends as it would have", async () => {
    const { harness, desk } = started();
    const id = await harness.execute();
    expect(desk.cancelled).toEqual(["hotel-2", "flight-1"]);
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      errorInfo: { nodeId: "car", message: "car cannot be had. Undone: hotel, flight." },
    });
    expect(harness.rows(id).filter((row) => row.includes("cancel"))).toHaveLength(2);
  });

  it("is left as it is when the run completes, or when nothing with undo was done", async () => {
    const done = started(trip, []);
    expect(done.harness.columns(await done.harness.execute()).status).toBe("completed");
    const early = started(trip, ["flight"]);
    expect(early.harness.columns(await early.harness.execute()).status).toBe("failed");
    expect([done.desk.cancelled, early.desk.cancelled]).toEqual([[], []]);
  });

  it("is undone once for each pass of a loop, with what that pass had", async () => {
    const { harness, desk } = started(
      {
        initial: "each",
        states: {
          each: {
            loop: {
              ...{ type: "forEach", collection: ["a", "b", "c"], bodyInitial: "one" },
              bodyStates: {
                one: { invoke: { src: "book", input: { what: "$.item" }, onDone: "next" }, undo: "back" },
                next: { type: "final" },
              },
              onDone: "car",
            },
          },
          car: book("car", "done"),
          done: { type: "final" },
          back: {
            invoke: { src: "cancel", input: { id: "{{ $.undo.item }} {{ $.undo.output.id }}" }, onDone: "undone" },
          },
          undone: { type: "final" },
        },
      },
      ["car"],
    );
    await harness.execute();
    expect(desk.cancelled).toEqual(["c c-3", "b b-2", "a a-1"]);
  });

  it("is undone when the run is cancelled, or when a review rejects it", async () => {
    const asking = {
      ...trip,
      states: { ...trip.states, car: { invoke: { src: "ask", onDone: "done" } } },
    };
    const rejected = started(asking, []);
    const first = await rejected.harness.execute();
    await decide(rejected.harness, "reject");
    expect(rejected.harness.columns(first)).toMatchObject({ status: "failed", outcome: "rejected" });
    const cancelled = started(asking, []);
    const second = await cancelled.harness.execute();
    await cancelled.harness.store.sendSignal(second, { type: "cancel", data: { reason: null, by: "Ada" } }, "cancel");
    await cancelled.harness.advance(second);
    expect(cancelled.harness.columns(second)).toMatchObject({ status: "cancelled", errorInfo: { code: "CANCELLED" } });
    expect([rejected.desk.cancelled, cancelled.desk.cancelled]).toEqual([
      ["hotel-2", "flight-1"],
      ["hotel-2", "flight-1"],
    ]);
  });

  it("is undone as far as it can be, and the end says what was not", async () => {
    const { harness, desk } = started(trip, ["car", "hotel-2"]);
    const id = await harness.execute();
    expect(desk.cancelled).toEqual(["flight-1"]);
    expect(harness.columns(id).errorInfo).toMatchObject({
      nodeId: "car",
      message: "car cannot be had. Undone: flight. Not undone: hotel.",
      details: { notUndone: [{ step: "hotel", visit: 1, message: "hotel-2 stays" }] },
    });
  });

  it("goes on being undone by another process, where a person is asked on the way", async () => {
    const { harness, desk } = started({
      ...trip,
      states: { ...trip.states, cancel_hotel: { invoke: { src: "ask", onDone: "cancel_it" } }, cancel_it: cancels },
    });
    const id = await harness.execute();
    expect([harness.columns(id).status, desk.cancelled]).toEqual(["paused", []]);
    harness.restart();
    await decide(harness, "approve");
    expect([harness.columns(id).status, desk.cancelled]).toEqual(["failed", ["hotel-2", "flight-1"]]);
  });

  it("is undone whole, in order and recorded once, whichever commit its process dies at", async () => {
    let crashes = 0;
    for (let at = 1; at < 30; at += 1) {
      const { harness, desk } = started();
      const id = await harness.create();
      let commits = 0;
      const dying = withCommit(harness, async (commit) => {
        const done = await harness.store.commit(commit);
        commits += 1;
        if (commits === at) throw new Error("died");
        return done;
      });
      harness.restart(dying);
      const died = await harness.advance(id).then(
        () => false,
        () => true,
      );
      harness.restart();
      await harness.store.voidLeases();
      await harness.advance(id);
      expect([...new Set(desk.cancelled)], `commit ${at}`).toEqual(["hotel-2", "flight-1"]);
      expect(harness.rows(id).filter((row) => row.startsWith("cancel"))).toEqual([
        "cancel_hotel#1 completed",
        "cancel_flight#1 completed",
      ]);
      expect(harness.columns(id).status).toBe("failed");
      if (!died) break;
      crashes += 1;
    }
    expect(crashes).toBeGreaterThan(3);
  });

  it("is not undone any further once the run is cancelled while it is", async () => {
    const { harness, desk } = started({
      ...trip,
      states: { ...trip.states, cancel_hotel: { invoke: { src: "ask", onDone: "undone" } } },
    });
    const id = await harness.execute();
    await harness.store.sendSignal(id, { type: "cancel", data: { reason: null, by: "Ada" } }, "cancel");
    await harness.advance(id);
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      errorInfo: { details: { notUndone: [{ step: "hotel" }, { step: "flight", message: "not begun" }] } },
    });
    expect(desk.cancelled).toEqual([]);
  });

  it("may take as many steps, and cost as much, as its undoing needs", async () => {
    const { harness, desk } = started({ ...trip, maxSteps: 3 });
    const id = await harness.execute();
    expect([harness.columns(id).status, desk.cancelled]).toEqual(["failed", ["hotel-2", "flight-1"]]);
  });

  it("is undone from wherever it is, also where it ended in a failed state or in regions side by side", async () => {
    const { harness, desk } = started(
      {
        initial: "flight",
        states: {
          flight: book("flight", "both", "back"),
          both: {
            type: "parallel",
            states: {
              one: {
                initial: "hotel",
                states: { hotel: book("hotel", "one_done", "back"), one_done: { type: "final" } },
              },
              two: {
                initial: "rest",
                states: { rest: { invoke: { src: "ask", onDone: "two_done" } }, two_done: { type: "final" } },
              },
            },
            on: { stop: "failed" },
            onDone: "failed",
          },
          failed: { type: "final", outcome: "failed" },
          back: cancels,
          undone: { type: "final" },
        },
      },
      [],
    );
    const id = await harness.execute();
    await harness.send(id, "stop");
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "FAILED_STATE" } });
    expect(desk.cancelled).toEqual(["hotel-2", "flight-1"]);
  });
});

describe("undo", () => {
  const problemsOf = (states: object): string[] => {
    const desk = new Bookings();
    const { harness } = { harness: new EngineHarness(trip, desk.nodes) };
    const { problems } = validateDefinition({ ...trip, states: { ...trip.states, ...states } }, harness.nodes);
    return problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
  };

  it.each<[string, object, RegExp]>([
    ["a state that is not there", { flight: book("flight", "hotel", "nowhere") }, /nowhere is not a state/],
    ["a final state", { flight: book("flight", "hotel", "undone") }, /undone cannot undo/],
    ["the step itself", { flight: book("flight", "hotel", "flight") }, /flight cannot undo/],
    [
      "anything from a state without work",
      { undone: { type: "final" }, idle: { always: "done", undo: "cancel_hotel" } },
      /can be undone/,
    ],
  ])("cannot be %s", (_what, states, message) => {
    expect(problemsOf(states)).toEqual(expect.arrayContaining([expect.stringMatching(message)]));
  });

  it("of a step in a loop whose iterations are runs is refused", () => {
    const one = { invoke: { src: "book", input: { what: "$.item" }, onDone: "next" }, undo: "cancel_hotel" };
    const body = { bodyInitial: "one", bodyStates: { one, next: { type: "final" } }, onDone: "done" };
    const loop = { type: "forEach", collection: ["a"], concurrency: 4, ...body };
    expect(problemsOf({ car: { loop } })).toEqual([expect.stringContaining("runs of their own")]);
  });
});
