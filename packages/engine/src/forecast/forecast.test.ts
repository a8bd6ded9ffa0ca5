import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { NODES, node } from "./testing/forecast-nodes.ts";
import { type Answer, forecastOf } from "./testing/forecast-run.ts";

const isApproved = { type: "cel", params: { expression: "output.action == 'approve'" } };
const REFUND = {
  initial: "ask",
  context: { total: 120 },
  states: {
    ask: node("review", { show: { amount: "$.trigger.amount" } }, [
      { target: "shape", guard: isApproved },
      { target: "tellCustomer" },
    ]),
    shape: node("shape", { text: "Refund {{$.trigger.amount}}" }, "refund"),
    refund: node("pay", { amount: "$.trigger.amount", text: "$.shape_output.text" }, "wait"),
    wait: node("sleep", { minutes: 60 }, "large"),
    large: {
      always: [
        { target: "boss", guard: { type: "cel", params: { expression: "ctx.refund_output.paid > 100.0" } } },
        "done",
      ],
    },
    boss: node("review", { title: "More than 100", show: { paid: "$.refund_output.paid" } }, "done"),
    tellCustomer: node("ask", { text: "Sorry" }, "refused"),
    done: { type: "final", outcome: "refunded", output: { paid: "$.refund_output.paid" } },
    refused: { type: "final", outcome: "refused" },
  },
};

async function paused(amount: number): Promise<{ harness: EngineHarness; id: number }> {
  const harness = new EngineHarness(REFUND, NODES);
  const id = await harness.execute({ amount });
  expect(harness.columns(id).status).toBe("paused");
  harness.nodes.calls.length = 0;
  return { harness, id };
}
const nothing: Answer = () => undefined;
const paid: Answer = ({ input }) => ({ paid: (input as JsonObject).amount ?? null });

describe("what follows a decision", () => {
  it("names the calls with their arguments, and calls nothing with an effect", async () => {
    const { harness, id } = await paused(40);
    const { forecast } = await forecastOf(harness, { id, reviewId: 1, action: "approve", answer: paid });
    expect(forecast.steps).toMatchObject([
      { type: "call", nodeId: "refund", src: "pay", input: { amount: 40, text: "Refund 40" }, isAssumed: false },
      { type: "wait", nodeId: "wait", ms: 3_600_000, isAssumed: true },
    ]);
    expect(forecast).toMatchObject({
      end: { status: "completed", outcome: "refunded", output: { paid: 40 } },
      rest: null,
      isAssumed: true,
    });
    expect(harness.nodes.calls.filter((call) => call.includes("refund"))).toEqual([]);
    expect(harness.columns(id).status).toBe("paused");
  });

  it("names what is undone when the run is rejected, latest first", async () => {
    const back = { invoke: { src: "pay", input: { amount: "$.undo.output.paid", text: "back" }, onDone: "undone" } };
    const pay = (amount: number, onDone: string) => ({ ...node("pay", { amount, text: "for" }, onDone), undo: "back" });
    const states = { one: pay(5, "two"), two: pay(7, "ask"), ask: node("review", {}, "done") };
    const ends = { done: { type: "final" }, undone: { type: "final" } };
    const harness = new EngineHarness({ initial: "one", states: { ...states, back, ...ends } }, NODES);
    const id = await harness.execute();
    const { forecast } = await forecastOf(harness, { id, reviewId: 1, action: "reject", answer: paid });
    expect(forecast.steps).toMatchObject([
      { type: "call", nodeId: "back", input: { amount: 7 }, isAssumed: false },
      { type: "call", nodeId: "back", input: { amount: 5 } },
    ]);
    expect(forecast.end).toMatchObject({ status: "failed" });
  });

  it("stops at the next review, and says who is asked what", async () => {
    const { harness, id } = await paused(140);
    const { forecast } = await forecastOf(harness, { id, reviewId: 1, action: "approve", answer: paid });
    expect(forecast.steps.at(-1)).toMatchObject({
      type: "review",
      nodeId: "boss",
      request: { title: "More than 100", proposal: { paid: 140 } },
      isAssumed: true,
    });
    expect(forecast).toMatchObject({ end: null, rest: { reason: "review", nodeId: "boss" } });
  });

  it("is another one for another decision, and for another proposal", async () => {
    const { harness, id } = await paused(40);
    const rejected = await forecastOf(harness, { id, reviewId: 1, action: "reject", answer: paid });
    expect(rejected.forecast.steps).toMatchObject([{ type: "call", nodeId: "tellCustomer", input: { text: "Sorry" } }]);
    expect(rejected.forecast).toMatchObject({ end: { outcome: "refused" }, isAssumed: true });
  });

  it("is certain up to the first answer that nothing is known of, and stops there", async () => {
    const { harness, id } = await paused(40);
    const { forecast } = await forecastOf(harness, { id, reviewId: 1, action: "approve", answer: nothing });
    expect(forecast).toMatchObject({
      steps: [{ nodeId: "refund", origin: null, isAssumed: false }],
      end: null,
      rest: { reason: "unknown", nodeId: "refund" },
      isAssumed: false,
    });
  });

  it("says afterwards whether it came true, step by step", async () => {
    const { harness, id } = await paused(40);
    await harness.decide(1, "approve", { amount: 40 });
    const during = await forecastOf(harness, { id, reviewId: 1, action: "approve", answer: paid });
    expect(during.came).toEqual({ steps: [true, true], end: null });
    await harness.elapse(3_600_000);
    const after = await forecastOf(harness, { id, reviewId: 1, action: "approve", answer: paid });
    expect(after.came).toEqual({ steps: [true, true], end: true });
    const wrong: Answer = () => ({ paid: 500 });
    const other = await forecastOf(harness, { id, reviewId: 1, action: "approve", answer: wrong });
    expect(other.forecast.rest).toMatchObject({ reason: "review", nodeId: "boss" });
    expect(other.came).toEqual({ steps: [true, true, false], end: false });
  });

  it("tells a call that the decision itself releases", async () => {
    const held: ScriptedNode = {
      effect: "at-most-once",
      run: ({ input }) => ({
        type: "wait",
        for: "review",
        request: {
          ...{ title: "Send?", proposal: input as Json, schema: null, context: null, tool: "mail" },
          ...{ assignees: [], actions: ["approve", "reject"], dueAt: null },
        },
      }),
      resume: () => ({ type: "done", output: { sent: true } }),
    };
    const states = { send: node("held", { to: "a@b.example" }, "done"), done: { type: "final" } };
    const harness = new EngineHarness({ initial: "send", states }, { ...NODES, held });
    const id = await harness.execute({});
    const data = { to: "c@d.example" };
    const approved = await forecastOf(harness, { id, reviewId: 1, action: "approve", data, answer: nothing });
    expect(approved.forecast.steps).toMatchObject([
      { type: "call", nodeId: "send", input: data, isReleased: true, isAssumed: false },
    ]);
    const rejected = await forecastOf(harness, { id, reviewId: 1, action: "reject", answer: nothing });
    expect(rejected.forecast.steps).toEqual([]);
  });
});
