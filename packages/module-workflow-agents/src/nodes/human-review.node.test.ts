import type { NodeSignal } from "@oven/contract/node";
import { hashJson } from "@oven/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { humanReviewNode } from "./human-review.node.ts";
import { createNodeContext } from "./testing/node-context.ts";
import { type OpenServices, openServices } from "./testing/open-services.ts";

let open: OpenServices;

beforeAll(async () => {
  open = await openServices([]);
});

afterAll(() => open.close());

const decided = { reviewer: 3, decidedAt: "2026-01-01T00:00:00.000Z" };

test("[004-070] it waits for a review of exactly what it was given", async () => {
  const input = {
    show: "Dear Ada, …",
    title: "Check the reply",
    assignees: ["role:support-lead"],
    context: { order: 8841 },
  };
  expect(await humanReviewNode.run(createNodeContext(humanReviewNode, { input }))).toEqual({
    type: "wait",
    for: "review",
    request: {
      title: "Check the reply",
      proposal: "Dear Ada, …",
      schema: null,
      context: { order: 8841 },
      tool: null,
      assignees: ["role:support-lead"],
      actions: ["approve", "edit", "reject"],
      dueAt: null,
      policy: { notRequester: false, approvals: 1, adminsMayDecide: true, onDeadline: "error" },
    },
  });
});

test("stages are asked for with the review, and their conditions must be CEL", () => {
  const stages = [{ when: "args.amount > 1000", assignees: ["role:finance"] }];
  const context = createNodeContext(humanReviewNode, { input: { show: { amount: 5 }, stages } });
  expect(context.input.stages).toEqual([{ ...stages[0], approvals: 1 }]);
  const broken = [{ when: "args.amount >", assignees: ["role:finance"] }];
  const { error } = humanReviewNode.input.safeParse({ show: 1, stages: broken });
  expect(error?.issues).toMatchObject([{ path: ["stages", 0], message: expect.stringContaining("must be CEL") }]);
  expect(humanReviewNode.input.safeParse({ show: 1, stages, actions: ["send"] }).success).toBe(false);
});

test("a deadline is a moment from now, by milliseconds or an ISO duration", async () => {
  for (const dueIn of [3_600_000, "PT1H"]) {
    const before = Date.now();
    const result = await humanReviewNode.run(createNodeContext(humanReviewNode, { input: { show: 1, dueIn } }));
    if (result.type !== "wait" || result.for !== "review") throw new Error("it does not wait");
    const due = Date.parse(String(result.request.dueAt)) - before;
    expect(due).toBeGreaterThanOrEqual(3_600_000);
    expect(due).toBeLessThan(3_660_000);
  }
});

test("[004-076] the decision is the output: action, data, reason, reviewer, moment", async () => {
  const context = createNodeContext(humanReviewNode, { input: { show: "draft" } });
  const signal: NodeSignal = { type: "decision", action: "edit", data: "better draft", reason: "tone", ...decided };
  expect(await humanReviewNode.resume?.(context, signal)).toEqual({
    type: "done",
    output: { action: "edit", data: "better draft", reason: "tone", ...decided },
  });
});

test("a tool call is shown as its arguments, with the tool's schema, and released only by approve or edit", async () => {
  const toolCall = { toolCallId: "c1", tool: "shop.pay", arguments: { id: 9 } };
  const context = createNodeContext(humanReviewNode, { input: { toolCall }, services: open.services });
  expect(await humanReviewNode.run(context)).toMatchObject({
    request: { tool: "shop.pay", proposal: { id: 9 }, schema: { required: ["id"] }, title: "Tool shop.pay: 9" },
  });
  const edited: NodeSignal = { type: "decision", action: "edit", data: { id: 5 }, reason: null, ...decided };
  expect(await humanReviewNode.resume?.(context, edited)).toMatchObject({
    output: { toolCall: { ...toolCall, arguments: { id: 5 } } },
  });
  const rejected: NodeSignal = { type: "decision", action: "reject", data: { id: 9 }, reason: "no", ...decided };
  const result = await humanReviewNode.resume?.(context, rejected);
  expect(result).toMatchObject({ output: { action: "reject", reason: "no" } });
  expect(result).not.toHaveProperty("output.toolCall");
});

test("a call of a tool that does not exist is not put before a person", async () => {
  const toolCall = { toolCallId: "c1", tool: "shop.explode", arguments: {} };
  const context = createNodeContext(humanReviewNode, { input: { toolCall }, services: open.services });
  await expect(humanReviewNode.run(context)).rejects.toMatchObject({ code: "TOOL_UNKNOWN" });
});

test("either a proposal or a tool call must be given", () => {
  expect(humanReviewNode.input.safeParse({}).success).toBe(false);
  const toolCall = { toolCallId: "c1", tool: "shop.pay", arguments: {} };
  expect(humanReviewNode.input.safeParse({ show: 1, toolCall }).success).toBe(false);
  expect(humanReviewNode.input.safeParse({ toolCall }).success).toBe(true);
});

test("assignees, quorum and deadline are checked before anybody is asked", () => {
  const fits = (more: object) => humanReviewNode.input.safeParse({ show: 1, ...more }).success;
  for (const assignees of [["user:3"], ["user:ada@example.com"], ["role:support-lead"], []])
    expect(fits({ assignees })).toBe(true);
  for (const assignees of [["lead"], ["user:"], ["user:0"], ["role:Lead"], ["role:"], ["group:x"], ["user:a b@c"]])
    expect(fits({ assignees })).toBe(false);
  expect(fits({ approvals: 2 })).toBe(true);
  for (const approvals of [0, 21, 1.5]) expect(fits({ approvals })).toBe(false);
  expect(fits({ approvals: 2, actions: ["send", "reject"] })).toBe(false);
  expect(fits({ actions: ["send", "reject"] })).toBe(true);
  for (const onDeadline of ["error", { action: "approve" }, { escalateTo: ["role:lead"], dueIn: "P1D" }])
    expect(fits({ onDeadline })).toBe(true);
  for (const onDeadline of ["approve", { action: "edit" }, { escalateTo: [], dueIn: 1 }, { escalateTo: ["role:lead"] }])
    expect(fits({ onDeadline })).toBe(false);
});

test("a released call carries its review, and is not released when it is not what was approved", async () => {
  const toolCall = { toolCallId: "c1", tool: "shop.pay", arguments: { id: 9 } };
  const context = createNodeContext(humanReviewNode, { input: { toolCall }, services: open.services });
  const review = { id: 3, digest: hashJson({ tool: "shop.pay", proposal: { id: 9 } }) };
  const approve: NodeSignal = {
    type: "decision",
    action: "approve",
    data: { id: 9 },
    reason: null,
    ...decided,
    review,
  };
  expect(await humanReviewNode.resume?.(context, approve)).toMatchObject({
    output: { toolCall: { ...toolCall, review } },
  });
  const changed = humanReviewNode.resume?.(context, { ...approve, data: { id: 10 } });
  await expect(changed).rejects.toMatchObject({ code: "REVIEW_CHANGED" });
});
