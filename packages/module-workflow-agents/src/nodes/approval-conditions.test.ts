import type { JsonObject } from "@oven/contract";
import type { EngineHarness } from "@oven/engine/testing";
import { defineTool } from "@oven/module-registry";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createGraphFacts } from "./graph-facts.ts";
import { humanReviewNode } from "./human-review.node.ts";
import { createNodeContext } from "./testing/node-context.ts";
import { type OpenServices, openServices } from "./testing/open-services.ts";
import { runAgents } from "./testing/run-agents.ts";
import { toolExecutorNode } from "./tool-executor.node.ts";

let open: OpenServices;
const paid: unknown[] = [];

beforeAll(async () => {
  const refund = defineTool({
    id: "till.refund",
    title: "Refund",
    description: "Pays back.",
    input: z.strictObject({ amount: z.number().optional() }),
    output: z.strictObject({}),
    effect: "at-most-once",
    needsApproval: { when: "args.amount > 100.0" },
    permission: "shop.use",
    run: async ({ input }) => {
      paid.push(input);
      return {};
    },
  });
  open = await openServices([], { tools: [refund] });
});
beforeEach(() => {
  paid.length = 0;
  open.calls.length = 0;
});
afterAll(() => open.close());

const executing = (toolCalls: JsonObject[], input: JsonObject = {}): EngineHarness =>
  runAgents(
    {
      initial: "act",
      states: {
        act: { invoke: { src: "agent.toolExecutor", input: { toolCalls, tools: ["*"], ...input }, onDone: "done" } },
        done: { type: "final", output: "$.act_output" },
      },
    },
    open.services,
  );
const call = (tool: string, args: JsonObject): JsonObject => ({ toolCallId: "c1", tool, arguments: args });

describe("a tool that needs approval for some arguments", () => {
  test("is called at once with others, and waits with those", async () => {
    const small = executing([call("till.refund", { amount: 100 })]);
    expect(small.columns(await small.execute()).status).toBe("completed");
    expect(paid).toEqual([{ amount: 100 }]);
    const large = executing([call("till.refund", { amount: 100.5 })]);
    expect(large.columns(await large.execute()).status).toBe("paused");
    expect(paid).toHaveLength(1);
  });

  test("waits where the condition cannot be computed", async () => {
    const harness = executing([call("till.refund", {})]);
    expect(harness.columns(await harness.execute()).status).toBe("paused");
    expect(paid).toEqual([]);
  });

  test("is refused without a release by every other way in, too", async () => {
    const options = {
      principal: { ...createNodeContext(toolExecutorNode, { input: {} }).principal, permissions: ["*"] },
      signal: new AbortController().signal,
      idempotencyKey: "k",
    };
    const { tools } = open.services;
    await expect(tools.call("till.refund", { amount: 101 }, options)).rejects.toMatchObject({
      code: "APPROVAL_NEEDED",
    });
    expect(await tools.call("till.refund", { amount: 99 }, options)).toEqual({});
  });
});

describe("calls that need approval at a step", () => {
  const needsApproval = [{ tool: "shop.*", when: "args.id > 5" }];

  test("wait where the condition holds, though their tool asks nobody", async () => {
    const free = executing([call("shop.get", { id: 5 })], { needsApproval });
    expect(free.columns(await free.execute()).status).toBe("completed");
    const asked = executing([call("shop.get", { id: 6 })], { needsApproval });
    const id = await asked.execute();
    expect(asked.columns(id).status).toBe("paused");
    expect(open.calls.map(([, input]) => input)).toEqual([{ id: 5 }]);
    const [review] = [...asked.store.reviews.keys()];
    await asked.decide(review ?? 0, "edit", { id: 7 });
    expect(asked.columns(id).status).toBe("completed");
    expect(open.calls.map(([, input]) => input)).toEqual([{ id: 5 }, { id: 7 }]);
  });

  test("must be told by a condition that is CEL", () => {
    const { error } = toolExecutorNode.input.safeParse({ needsApproval: [{ tool: "*", when: "args.id >" }] });
    expect(error?.issues).toMatchObject([
      { path: ["needsApproval", 0, "when"], message: expect.stringContaining("CEL") },
    ]);
  });
});

describe("a review with a condition", () => {
  const toolCall = call("till.refund", { amount: 500 });

  test("asks only where it holds, and passes the proposal on otherwise", async () => {
    const review = (amount: number) =>
      humanReviewNode.run(
        createNodeContext(humanReviewNode, { input: { show: { amount }, when: "args.amount > 10" } }),
      );
    expect(await review(11)).toMatchObject({ type: "wait", for: "review" });
    expect(await review(10)).toMatchObject({
      type: "done",
      output: { action: "approve", data: { amount: 10 }, reviewer: null, reason: null },
    });
  });

  test("releases nothing where it did not ask: a tool that needs approval still asks", async () => {
    const reviewed = runAgents(
      {
        initial: "review",
        states: {
          review: {
            invoke: { src: "agent.humanReview", input: { toolCall, when: "args.amount > 1000.0" }, onDone: "act" },
          },
          act: {
            invoke: {
              src: "agent.toolExecutor",
              input: { toolCalls: [toolCall], tools: ["*"], approved: "$.review_output.toolCall" },
              onDone: "done",
            },
          },
          done: { type: "final" },
        },
      },
      open.services,
    );
    const id = await reviewed.execute();
    expect(reviewed.columns(id)).toMatchObject({ status: "paused", currentState: "act" });
    expect(paid).toEqual([]);
  });
});

describe("policies count an approval", () => {
  const facts = () => createGraphFacts(open.services, 1);
  const asking = (input: JsonObject): string[] =>
    (facts().tools("agent.toolExecutor", { tools: ["*"], ...input }, {})?.tools ?? [])
      .filter(({ id, needsApproval }) => needsApproval && /^(shop|till)\./.test(id))
      .map(({ id }) => id);

  test("of a tool only where it is needed for each call", () => {
    expect(asking({})).toEqual(["shop.pay"]);
  });

  test("of a step only where it is asked for without a condition", () => {
    expect(asking({ needsApproval: [{ tool: "shop.get" }] })).toEqual(["shop.get", "shop.pay"]);
    expect(asking({ needsApproval: [{ tool: "shop.get", when: "args.id > 5" }] })).toEqual(["shop.pay"]);
  });

  test("of a review only where it always asks", () => {
    expect(facts().review("agent.humanReview", { show: 1 })).toEqual({ deciders: [] });
    expect(facts().review("agent.humanReview", { show: 1, when: "args > 5" })).toBeUndefined();
  });
});
