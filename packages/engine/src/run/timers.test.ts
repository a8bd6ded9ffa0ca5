import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";

const never: ScriptedNode = { run: () => new Promise(() => undefined) };
const asks: ScriptedNode = {
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
      actions: ["approve"],
      dueAt: null,
    },
  }),
  resume: () => ({ type: "done", output: {} }),
};
const iso = (harness: EngineHarness, ms: number) => new Date(harness.clock.now() + ms).toISOString();

describe("after", () => {
  const definition = {
    initial: "hold",
    states: {
      hold: { after: { PT1M: "late", 30000: { target: "early", guard: cel("trigger.early == true") } } },
      early: { type: "final", outcome: "early" },
      late: { type: "final", outcome: "late" },
    },
  };

  it("leaves the run running with its instant, and fires then [CONTRACTS §17: after, delays]", async () => {
    const harness = new EngineHarness(definition, {});
    const id = await harness.execute({ early: true });
    expect(harness.columns(id)).toMatchObject({
      status: "running",
      waitingUntil: iso(harness, 30_000),
      checkpoint: null,
    });
    await harness.elapse(29_999);
    expect(harness.columns(id).status).toBe("running");
    await harness.elapse(1);
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "early", waitingUntil: null });
  });

  it("whose guard says no fires once and leaves the later ones running", async () => {
    const harness = new EngineHarness(definition, {});
    const id = await harness.execute({ early: false });
    await harness.elapse(30_000);
    expect(harness.columns(id)).toMatchObject({ status: "running", waitingUntil: iso(harness, 30_000) });
    await harness.elapse(30_000);
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "late" });
  });

  it("fires after a restart too, also when its instant passed while nobody worked", async () => {
    const harness = new EngineHarness(definition, {});
    const id = await harness.execute();
    await harness.clock.advance(120_000);
    harness.restart();
    await harness.elapse(0);
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "late" });
  });

  it("is cancelled when its state is left, and begins anew when it is entered again", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: { after: { 1000: "late" }, on: { away: "b" } },
          b: { on: { back: "a", end: "done" } },
          late: { type: "final", outcome: "late" },
          done: { type: "final" },
        },
      },
      {},
    );
    const id = await harness.execute();
    await harness.elapse(900);
    await harness.send(id, "away");
    expect(harness.store.run(id).wakeAt).toBeNull();
    await harness.elapse(5_000);
    await harness.send(id, "back");
    await harness.elapse(900);
    expect(harness.columns(id).status).toBe("paused");
    await harness.elapse(100);
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "late" });
  });

  it("beside on is a deadline: the run is paused and shows it", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: { on: { paid: "done" }, after: { P1D: "expired" } },
          done: { type: "final" },
          expired: { type: "final", outcome: "expired" },
        },
      },
      {},
    );
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({
      status: "paused",
      checkpoint: { waiting: [{ nodeId: "a", for: "event", dueAt: iso(harness, 86_400_000) }] },
    });
    await harness.elapse(86_400_000);
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "expired" });
  });

  it("nearer to the active state than an on around it leaves the run running; further away, paused", async () => {
    const definition = (inner: object, outer: object) => ({
      initial: "group",
      states: {
        group: { initial: "w", ...outer, states: { w: inner } },
        done: { type: "final" },
      },
    });
    const timer = { after: { PT1H: "done" } };
    const event = { on: { go: "done" } };
    const near = new EngineHarness(definition(timer, event), {});
    const id = await near.execute();
    expect(near.columns(id)).toMatchObject({ status: "running", waitingUntil: iso(near, 3_600_000), checkpoint: null });
    const far = new EngineHarness(definition(event, timer), {});
    const other = await far.execute();
    expect(far.columns(other)).toMatchObject({ status: "paused", waitingUntil: null });
    expect(far.columns(other).checkpoint?.waiting).toMatchObject([{ for: "event", dueAt: iso(far, 3_600_000) }]);
  });

  it("around a review takes it away: the review is cancelled; decided in time, the timer is", async () => {
    const definition = {
      initial: "group",
      states: {
        group: {
          initial: "r",
          after: { PT1H: "escalated" },
          onDone: "done",
          states: { r: { invoke: { src: "asks", onDone: "e" } }, e: { type: "final" } },
        },
        escalated: { type: "final", outcome: "escalated" },
        done: { type: "final" },
      },
    };
    const late = new EngineHarness(definition, { asks });
    const id = await late.execute();
    expect(late.columns(id).status).toBe("paused");
    await late.elapse(3_600_000);
    expect(late.columns(id)).toMatchObject({ status: "completed", outcome: "escalated" });
    expect(late.store.reviews.get(1)?.status).toBe("cancelled");
    const inTime = new EngineHarness(definition, { asks });
    const other = await inTime.execute();
    await inTime.decide(1, "approve");
    expect(inTime.columns(other)).toMatchObject({ status: "completed", outcome: null });
    expect(inTime.store.run(other).wakeAt).toBeNull();
  });

  it("strikes while a node runs, at its instant, and cancels it", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        states: {
          a: { invoke: { src: "never", onDone: "done" }, after: { 5000: "slow" } },
          done: { type: "final" },
          slow: { type: "final", outcome: "slow" },
        },
      },
      { never },
    );
    const id = await harness.create();
    const work = harness.engine.advance(id);
    await harness.clock.advance(4_999);
    expect(harness.columns(id).status).toBe("running");
    await harness.clock.advance(1);
    await work;
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: "slow" });
    expect(harness.rows(id)).toEqual(["a#1 cancelled"]);
  });

  it("fires in the order of the instants when several are looked at late", async () => {
    const log = (name: string) => ({ actions: [{ type: "assign", params: { path: "$.seen", append: name } }] });
    const harness = new EngineHarness(
      {
        initial: "a",
        context: { seen: [] },
        states: {
          a: { after: { 3000: log("three"), 1000: log("one"), PT2S: log("two"), 4000: "done" } },
          done: { type: "final", output: "$.seen" },
        },
      },
      {},
    );
    const id = await harness.execute();
    await harness.clock.advance(60_000);
    await harness.elapse(0);
    expect(harness.columns(id).output).toEqual(["one", "two", "three"]);
  });

  it("that goes round for ever is stopped by maxSteps", async () => {
    const harness = new EngineHarness(
      {
        initial: "a",
        maxSteps: 50,
        states: {
          a: { after: { 0: "b" } },
          b: { after: { 0: [{ target: "done", guard: cel("trigger.stop == true") }, "a"] } },
          done: { type: "final" },
        },
      },
      {},
    );
    const id = await harness.execute();
    await harness.elapse(0);
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      outcome: "limit",
      errorInfo: { code: "STEP_LIMIT" },
    });
  });

  it("polls: a node run every minute until it says so", async () => {
    let asked = 0;
    const poll: ScriptedNode = {
      run: () => {
        asked += 1;
        return { type: "done", output: { ready: asked > 2 } };
      },
    };
    const harness = new EngineHarness(
      {
        initial: "ask",
        states: {
          ask: { invoke: { src: "poll", onDone: [{ target: "done", guard: cel("output.ready") }, "pause"] } },
          pause: { after: { PT1M: "ask" } },
          done: { type: "final" },
        },
      },
      { poll },
    );
    const id = await harness.execute();
    await harness.elapse(60_000);
    await harness.elapse(60_000);
    expect(harness.columns(id)).toMatchObject({ status: "completed", steps: 3 });
  });
});

function cel(expression: string) {
  return { type: "cel", params: { expression } };
}
