import type { JsonObject } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import type { OnDeadline } from "@oven/contract/review";
import { describe, expect, it } from "vitest";
import { RunBases } from "../run/run-base.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import { movesOf, replay } from "./replay.ts";

const DAY = 86_400_000;
const PROPOSAL = { text: "Dear Ada" };

function toWait(onDeadline: OnDeadline, dueAt = "2026-01-02T00:00:00.000Z"): NodeResult {
  return {
    type: "wait",
    for: "review",
    request: {
      title: "?",
      proposal: PROPOSAL,
      schema: null,
      context: null,
      tool: null,
      assignees: ["role:support"],
      actions: ["approve", "edit", "reject"],
      dueAt,
      policy: { notRequester: false, approvals: 1, adminsMayDecide: true, onDeadline },
    },
  };
}

function asking(onDeadline: OnDeadline, item?: string): EngineHarness {
  const wait = toWait(onDeadline);
  const definition = {
    initial: "ask",
    states: {
      ask: { invoke: { src: "ask", onDone: "done", onError: "late" } },
      done: { type: "final", output: "$.ask_output" },
      late: { type: "final", outcome: "late", output: "$.ask_error.code" },
    },
  };
  return new EngineHarness(definition, {
    ask: {
      run: () =>
        item === undefined
          ? wait
          : { type: "wait", for: "items", request: { concurrency: 1, items: [{ key: item, input: 1 }] } },
      runItem: () => wait,
      resume: (_call, signal) => ({
        type: "done",
        output: JSON.parse(JSON.stringify(signal)) as JsonObject,
      }),
    },
  });
}

/** The run gone through again from its log alone. */
async function replayed(harness: EngineHarness, id: number) {
  const run = await harness.store.read(id);
  if (!run) throw new Error("gone");
  const history = await harness.store.history(id, run.seq);
  const { facts, context } = await new RunBases(harness.store, harness.source).of(run);
  const { compiled } = await harness.source.load(run);
  expect(movesOf(history.entries).length).toBeGreaterThan(2);
  return replay(compiled, facts, context, history).plan.end;
}

describe("a review's deadline", () => {
  it.each([
    ["approve", { action: "approve", reason: "agreed terms" } as const, { status: "completed" }],
    ["reject", { action: "reject" } as const, { status: "completed", outcome: "late", output: "REVIEW_REJECTED" }],
    ["error", "error" as const, { status: "completed", outcome: "late", output: "REVIEW_EXPIRED" }],
  ])("%s happens at its instant, also when the process is another one by then", async (_name, onDeadline, end) => {
    const harness = asking(onDeadline);
    const id = await harness.execute();
    await harness.elapse(DAY - 1);
    expect(harness.columns(id).status).toBe("paused");
    harness.restart();
    await harness.elapse(1);
    expect(harness.columns(id)).toMatchObject(end);
    expect(harness.store.reviews.get(1)?.status).toBe(onDeadline === "error" ? "expired" : "decided");
    expect(await replayed(harness, id)).toMatchObject(end);
  });

  it("approving hands on the proposal as it was shown, by nobody, with its digest", async () => {
    const harness = asking({ action: "approve", reason: "agreed terms" });
    const id = await harness.execute();
    await harness.elapse(DAY);
    expect(harness.columns(id).output).toMatchObject({
      action: "approve",
      data: PROPOSAL,
      reason: "agreed terms",
      reviewer: null,
      review: { id: 1, digest: harness.store.reviews.get(1)?.open.digest },
    });
    const decided = harness.store.run(id).events.find(({ event }) => event === "review.decided");
    expect(decided?.fields).toMatchObject({ deadline: true, reviewer: null });
  });

  it("of an item is the item's alone", async () => {
    const harness = asking("error", "one");
    const id = await harness.execute();
    await harness.elapse(DAY);
    expect(harness.columns(id).output).toMatchObject({
      items: [{ key: "one", status: "failed", error: { code: "REVIEW_EXPIRED" } }],
    });
  });

  it.each(["error", { action: "reject" }] as const)(
    "yields to a person who decided in the same moment (%j): one decision, and the run follows it",
    async (onDeadline) => {
      const harness = asking(onDeadline);
      const id = await harness.execute();
      await harness.clock.advance(DAY);
      // The decision is in the table, and the worker that looks at the clock has not been told.
      const { signals } = harness.store;
      let told = false;
      harness.store.signals = async (run) => (told ? signals.call(harness.store, run) : []);
      const commit = harness.store.commit;
      harness.store.commit = async (change) => {
        if (!told) {
          const decidedAt = "2026-01-02T00:00:00.000Z";
          await harness.store.decide(1, { action: "approve", data: PROPOSAL, reason: null, reviewer: 7, decidedAt });
        }
        told = true;
        return commit.call(harness.store, change);
      };
      await harness.advance(id);
      expect(harness.store.reviews.get(1)).toMatchObject({ status: "decided", decision: { reviewer: 7 } });
      expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: null, output: { reviewer: 7 } });
      expect(harness.events(id).filter((event) => /^review\.(decided|expired)/.test(event))).toHaveLength(1);
      expect(await replayed(harness, id)).toMatchObject({ status: "completed", outcome: null });
    },
  );

  it("is not kept waiting by what runs beside the review", async () => {
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const beside = {
      initial: "both",
      states: {
        both: {
          type: "parallel",
          states: {
            left: { initial: "ask", states: { ask: { invoke: { src: "ask", onDone: "l" } }, l: { type: "final" } } },
            right: {
              initial: "work",
              states: { work: { invoke: { src: "slow", onDone: "r" } }, r: { type: "final" } },
            },
          },
          onDone: "done",
        },
        done: { type: "final" },
      },
    };
    const dueAt = "2026-01-01T00:00:05.000Z";
    const harness = new EngineHarness(beside, {
      ask: {
        run: () => toWait({ action: "approve" }, dueAt),
        resume: () => ({ type: "done", output: {} }),
      },
      slow: { run: () => slow.then(() => ({ type: "done" as const, output: {} })) },
    });
    const id = await harness.create();
    const running = harness.advance(id);
    await expect.poll(() => harness.store.reviews.get(1)?.status).toBe("open");
    await harness.clock.advance(5_000);
    await expect.poll(() => harness.events(id)).toContain("node.completed ask");
    finish();
    await running;
    expect(harness.columns(id).status).toBe("completed");
  });

  it("escalates: others are asked from then on, and their deadline is an error", async () => {
    const harness = asking({ escalateTo: ["role:lead"], dueIn: "P2D" });
    const id = await harness.execute();
    await harness.elapse(DAY);
    const dueAt = "2026-01-04T00:00:00.000Z";
    expect(harness.store.reviews.get(1)).toMatchObject({
      status: "open",
      open: { request: { assignees: ["role:lead"], dueAt } },
    });
    expect(harness.columns(id)).toMatchObject({ status: "paused", checkpoint: { waiting: [{ dueAt }] } });
    expect(harness.events(id)).toContain("review.escalated ask");
    harness.restart();
    await harness.elapse(2 * DAY);
    expect(harness.columns(id)).toMatchObject({ outcome: "late", output: "REVIEW_EXPIRED" });
    expect(await replayed(harness, id)).toMatchObject({ outcome: "late" });
  });

  it("escalated, can still be decided", async () => {
    const harness = asking({ escalateTo: ["role:lead"], dueIn: "P2D" });
    const id = await harness.execute();
    await harness.elapse(DAY);
    await harness.decide(1, "approve", PROPOSAL);
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: null });
    await harness.elapse(3 * DAY);
    expect(harness.store.reviews.get(1)?.status).toBe("decided");
  });
});

describe("what people say about a review", () => {
  it("is in the run's log, changes nothing else, and is gone through again", async () => {
    const harness = asking("error");
    const id = await harness.execute();
    const note = { event: "review.commented" as const, fields: { reviewId: 1, nodeId: "ask", visit: 1, commentId: 4 } };
    await harness.store.sendSignal(id, { type: "note", data: note }, "comment:4");
    await harness.advance(id);
    expect(harness.columns(id).status).toBe("paused");
    expect(harness.store.run(id).events.at(-1)).toMatchObject(note);
    await harness.decide(1, "approve", PROPOSAL);
    expect(harness.columns(id)).toMatchObject({ status: "completed", outcome: null });
    expect(await replayed(harness, id)).toMatchObject({ status: "completed", outcome: null });
  });
});
