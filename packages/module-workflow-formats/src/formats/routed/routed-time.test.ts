import type { RoutedGraphSpec } from "@oven/contract/formats/routed.ts";
import type { NodeResult } from "@oven/contract/node";
import { EngineHarness } from "@oven/engine/testing";
import { expect, it } from "vitest";
import { compileRouted } from "./compile-routed.ts";

const DAY = 86_400_000;
const SPEC: RoutedGraphSpec = {
  ...{ id: "desk", name: "Desk", description: "", isConversational: true, entrypointNodeId: "a" },
  nodes: [
    { id: "a", workflowId: "desk", nodeType: "AGENT", nodeName: "A", agentId: "plain" },
    { id: "t", workflowId: "desk", nodeType: "TOOL_EXECUTOR", nodeName: "T", agentId: null },
  ],
  edges: [
    {
      ...{ id: "t", workflowId: "desk", sourceNodeId: "a", targetNodeId: "t" },
      ...{ conditionType: "CONDITIONAL", conditionValue: "T" },
    },
    {
      ...{ id: "e", workflowId: "desk", sourceNodeId: "a", targetNodeId: null },
      ...{ conditionType: "CONDITIONAL", conditionValue: "END" },
    },
  ],
};
const review: NodeResult = {
  type: "wait",
  for: "review",
  request: {
    ...{ title: "?", proposal: null, schema: null, context: null, tool: null, assignees: [], dueAt: null },
    actions: ["approve", "edit", "reject"],
  },
};

const ENDS: NodeResult = { type: "done", output: { text: "Done.", toolCalls: [], next: "END" } };
const ASKS: NodeResult = { type: "done", output: { text: "", toolCalls: [{ name: "refund" }] } };

/** The compiled graph on a simulated clock: how long its agent's answers take, and what they are; a person approves its tools. */
function deskOf(spec: RoutedGraphSpec, { takes, answers = [] }: { takes: number[]; answers?: NodeResult[] }) {
  const harness: EngineHarness = new EngineHarness(compileRouted(spec), {
    "agent.llm": {
      run: () =>
        new Promise((done) => {
          const answer = answers.shift() ?? ENDS;
          harness.clock.setTimer(harness.clock.now() + (takes.shift() ?? 0), () => done(answer));
        }),
    },
    "agent.toolExecutor": { run: () => review, resume: () => ({ type: "done", output: {} }) },
    "agent.humanReview": {
      run: () => review,
      resume: (_call, signal) => ({
        type: "done",
        output: { action: signal.type === "decision" ? signal.action : "reject", data: null, reason: null },
      }),
    },
    "core.fail": { run: () => ({ type: "done", output: {} }) },
  });
  return harness;
}

it("a turn is given up after 90 seconds, or after as many as the graph says [003-074]", async () => {
  for (const [spec, milliseconds] of [
    [SPEC, 90_000],
    [{ ...SPEC, timeoutSeconds: 7 }, 7_000],
  ] as const) {
    const harness = deskOf(spec, { takes: [DAY] });
    const id = await harness.create({ message: "Hello" });
    const turn = harness.advance(id);
    await harness.elapse(milliseconds - 1);
    expect(harness.columns(id).status).toBe("running");
    await harness.elapse(1);
    await turn;
    expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "human_handoff" });
    expect((await harness.context(id)).values.handoff_reason).toBe(
      `time-out: the turn took longer than ${milliseconds / 1_000} seconds`,
    );
  }
});

it("the days a person takes count for nothing, whether the turn was handed over or waits for their approval [003-082]", async () => {
  const harness = deskOf(SPEC, { takes: [30_000, DAY, 89_999], answers: [ASKS] });
  const id = await harness.create({ message: "Hello" });
  const approve = async () => {
    const [reviewId = 0] = [...harness.store.reviews.keys()].slice(-1);
    await harness.decide(reviewId, "approve");
  };
  const asking = harness.advance(id);
  await harness.elapse(30_000);
  await asking;
  expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "T" });
  await harness.elapse(2 * DAY);
  expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "T" });
  const approved = approve();
  // Thirty of the ninety seconds were used before.
  await harness.elapse(59_999);
  expect(harness.columns(id)).toMatchObject({ status: "running", currentState: "A" });
  await harness.elapse(1);
  await approved;
  expect(harness.columns(id)).toMatchObject({ status: "paused", currentState: "human_handoff" });
  await harness.elapse(2 * DAY);
  const last = approve();
  await harness.elapse(89_998);
  expect(harness.columns(id)).toMatchObject({ status: "running", currentState: "A" });
  await harness.elapse(1);
  await last;
  expect(harness.columns(id).status).toBe("completed");
});
