import type { JsonObject } from "@oven/contract";
import type { ToolCall } from "@oven/contract/ai";
import type { ItemRequest, NodeResult, NodeSignal } from "@oven/contract/node";
import type { ReleasedToolCall } from "@oven/contract/review";
import { hashJson } from "@oven/engine";
import type { WorkflowPlatform } from "@oven/module-workflows";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ContextOptions, createNodeContext, type RecordedContext } from "./testing/node-context.ts";
import { type OpenServices, openServices } from "./testing/open-services.ts";
import { toolExecutorNode } from "./tool-executor.node.ts";

let open: OpenServices;

beforeAll(async () => {
  open = await openServices([]);
});

beforeEach(() => {
  open.calls.length = 0;
});

afterAll(() => open.close());

const get: ToolCall = { toolCallId: "c1", tool: "shop.get", arguments: { id: 4 } };
const pay: ToolCall = { toolCallId: "c2", tool: "shop.pay", arguments: { id: 9 } };

function contextOf(toolCalls: ToolCall[], options: ContextOptions = {}): RecordedContext {
  return createNodeContext(toolExecutorNode, {
    services: open.services,
    ...options,
    input: { tools: ["shop.*"], ...options.input },
    values: { toolCalls, ...options.values },
  });
}

async function runItem(
  call: ToolCall,
  options: ContextOptions = {},
): Promise<{ result: NodeResult | undefined; context: RecordedContext }> {
  const context = contextOf([call], { ...options, item: call.toolCallId });
  const item: ItemRequest = { key: call.toolCallId, input: call };
  return { result: await toolExecutorNode.runItem?.(context, item), context };
}

const digestOf = ({ tool, arguments: proposal }: Pick<ToolCall, "tool" | "arguments">) => hashJson({ tool, proposal });

/** What a person says about a call of `shop.pay`. */
const decide = (action: string, data: JsonObject, reason: string | null = null): NodeSignal => ({
  type: "decision",
  action,
  data,
  reason,
  reviewer: 3,
  decidedAt: "2026-01-01T00:00:00.000Z",
  review: { id: 3, digest: digestOf({ tool: "shop.pay", arguments: data }) },
});

/** Run 12 has review 3, which has released what its digest says. */
function withReviews(options: ContextOptions = {}): ContextOptions {
  const isReleased = async (executionId: number, call: Pick<ReleasedToolCall, "tool" | "arguments" | "review">) =>
    executionId === 12 && call.review?.id === 3 && call.review.digest === digestOf(call);
  const useRelease = async () => true;
  open.services.releases = {
    use: ({ tool, arguments: args, release, run }) =>
      isReleased(run.executionId, { tool, arguments: args, review: release }),
  };
  // cast: of the platform the node uses this alone
  const workflowPlatform = { reviews: { isReleased, useRelease } } as unknown as WorkflowPlatform;
  return { ...options, services: { ...open.services, workflowPlatform } };
}

test("[004-042] each call is an item of its own, keyed by call id, with its tool's effect", async () => {
  const result = await toolExecutorNode.run(contextOf([get, pay]));
  expect(result).toEqual({
    type: "wait",
    for: "items",
    request: {
      items: [
        { key: "c1", input: get, nodeType: "shop.get", effect: "pure" },
        { key: "c2", input: pay, nodeType: "shop.pay", effect: "at-most-once" },
      ],
      concurrency: 2,
    },
  });
});

test("[004-048] sequential runs one at a time, and nothing to do is done", async () => {
  const sequential = await toolExecutorNode.run(contextOf([get, pay], { input: { mode: "sequential" } }));
  expect(sequential).toMatchObject({ request: { concurrency: 1 } });
  expect(await toolExecutorNode.run(contextOf([]))).toEqual({ type: "done", output: { results: [], lastTool: null } });
});

test("a call runs with the item's idempotency key, and its start and end are in the log", async () => {
  const { result, context } = await runItem(get);
  expect(result).toEqual({ type: "done", output: { arguments: { id: 4 }, result: { seen: 4 } } });
  expect(open.calls).toEqual([["shop.get", { id: 4 }, "key-0"]]);
  expect(context.events).toEqual([
    ["tool.started", { toolCallId: "c1", tool: "shop.get", arguments: { id: 4 } }],
    ["tool.completed", { toolCallId: "c1", tool: "shop.get", durationMs: expect.any(Number) }],
  ]);
});

test.each([
  ["an invented tool", { ...get, tool: "shop.explode" }, {}, "TOOL_NOT_OFFERED"],
  ["a tool outside the list", get, { input: { tools: ["shop.list"] } }, "TOOL_NOT_OFFERED"],
  ["any tool when no list is given", get, { input: { tools: [] } }, "TOOL_NOT_OFFERED"],
  ["arguments that do not fit", { ...get, arguments: { id: "four" } }, {}, "TOOL_INPUT_INVALID"],
  ["arguments that are not JSON", { ...get, arguments: '{"id": 4' }, {}, "TOOL_INPUT_INVALID"],
  ["bad arguments of a tool that needs approval", { ...pay, arguments: {} }, {}, "TOOL_INPUT_INVALID"],
  [
    "a tool the caller may not use",
    get,
    { principal: { kind: "user" as const, userId: 2, tenantId: 1, permissions: [] } },
    "TOOL_NOT_OFFERED",
  ],
])("[004-046] %s is not run", async (_name, call, options, code) => {
  await expect(runItem(call, options)).rejects.toMatchObject({ code, retryable: false });
  expect(open.calls).toEqual([]);
});

test("without a list of tools nothing may be called, whatever the caller's permissions", async () => {
  const context = createNodeContext(toolExecutorNode, {
    services: open.services,
    values: { toolCalls: [get] },
    item: "c1",
  });
  const call = toolExecutorNode.runItem?.(context, { key: "c1", input: get });
  await expect(call).rejects.toMatchObject({ code: "TOOL_NOT_OFFERED", fix: "No tool may be called at this step" });
  expect(open.calls).toEqual([]);
});

test("a tool that fails says so in the log and fails its item", async () => {
  const context = contextOf([{ ...get, tool: "shop.broken" }], { item: "c1" });
  const item: ItemRequest = { key: "c1", input: { ...get, tool: "shop.broken" } };
  await expect(toolExecutorNode.runItem?.(context, item)).rejects.toThrow("the shelf is locked");
  expect(context.events.at(-1)).toEqual([
    "tool.failed",
    expect.objectContaining({ error: "the shelf is locked", toolCallId: "c1" }),
  ]);
});

test("a tool that needs approval asks for it with exactly the call, why, and who decides", async () => {
  const messages: JsonObject[] = [
    {
      role: "assistant",
      content: [
        { type: "text", text: "She is right." },
        { type: "tool-call", toolCallId: "c2", toolName: "shop.pay", input: { id: 9 } },
      ],
    },
  ];
  const who = { assignees: ["role:lead"], notRequester: true, approvals: 2, onDeadline: { action: "reject" } };
  const { result } = await runItem(pay, { values: { messages }, input: { ...who, dueIn: 60_000 } });
  expect(result).toMatchObject({
    type: "wait",
    for: "review",
    request: {
      title: "Tool shop.pay: 9",
      tool: "shop.pay",
      proposal: { id: 9 },
      schema: { required: ["id"] },
      context: { reasoning: "She is right." },
      assignees: ["role:lead"],
      dueAt: expect.stringMatching(/^\d{4}-.*Z$/),
      policy: { notRequester: true, approvals: 2, adminsMayDecide: true, onDeadline: { action: "reject" } },
    },
  });
  expect(open.calls).toEqual([]);
});

const paying = () => contextOf([pay], withReviews({ item: "c2" }));

test("[004-073] [004-074] an approved call runs as shown, an edited one as edited", async () => {
  const approved = await toolExecutorNode.resume?.(paying(), decide("approve", { id: 9 }));
  expect(approved).toEqual({ type: "done", output: { arguments: { id: 9 }, result: { seen: 9 } } });
  const edited = await toolExecutorNode.resume?.(paying(), decide("edit", { id: 5 }));
  expect(edited).toEqual({ type: "done", output: { arguments: { id: 5 }, result: { seen: 5 }, edited: true } });
  expect(open.calls.map(([, input]) => input)).toEqual([{ id: 9 }, { id: 5 }]);
});

test("[004-075] a declined call is not run; the model gets the reason", async () => {
  const declined = await toolExecutorNode.resume?.(
    contextOf([pay], { item: "c2" }),
    decide("reject", { id: 9 }, "too much"),
  );
  expect(declined).toEqual({
    type: "done",
    output: { arguments: { id: 9 }, error: "A person declined this call: too much" },
  });
  expect(open.calls).toEqual([]);
});

describe("a call that a review before has released", () => {
  const released = (call: ToolCall, review = { id: 3, digest: digestOf(call) }): ReleasedToolCall => ({
    ...call,
    review,
  });
  const withApproved = (approved: ToolCall | ToolCall[]) => withReviews({ input: { approved } });

  test("runs at once with the released arguments, asked for by this run; another call does not", async () => {
    const approved = released({ ...pay, arguments: { id: 7 } });
    const { result } = await runItem(pay, withApproved(approved));
    expect(result).toEqual({ type: "done", output: { arguments: { id: 7 }, result: { seen: 7 }, edited: true } });
    const other = await runItem({ ...pay, toolCallId: "c9" }, withApproved([approved]));
    expect(other.result).toMatchObject({ type: "wait", for: "review" });
    expect(open.calls).toHaveLength(1);
  });

  test.each([
    ["other arguments than were approved", { ...released(pay), arguments: { id: 9_000 } }],
    ["the digest of other arguments", released({ ...pay, arguments: { id: 5 } }, { id: 3, digest: digestOf(pay) })],
    ["another tool than was approved", { ...released({ ...pay, tool: "shop.get" }), tool: "shop.pay" }],
    ["an approval of another tool", released({ ...pay, tool: "shop.get" })],
    ["a review that released nothing", released(pay, { id: 4, digest: digestOf(pay) })],
    ["no review at all", pay],
  ])("with %s is an error, and nothing is called", async (_name, approved) => {
    const options = withApproved(approved);
    await expect(runItem(pay, options)).rejects.toMatchObject({ code: "REVIEW_CHANGED" });
    await expect(toolExecutorNode.run(contextOf([get, pay], options))).rejects.toMatchObject({
      code: "REVIEW_CHANGED",
    });
    expect(open.calls).toEqual([]);
  });
});

test("an approval does not release what took the place of the call since", async () => {
  const approve = decide("approve", { id: 9 });
  const swapped = contextOf([{ ...pay, tool: "shop.broken" }], withReviews({ item: "c2" }));
  await expect(toolExecutorNode.resume?.(swapped, approve)).rejects.toMatchObject({ code: "REVIEW_CHANGED" });
  expect(open.calls).toEqual([]);
  await toolExecutorNode.resume?.(paying(), approve);
  expect(open.calls.map(([tool, input]) => [tool, input])).toEqual([["shop.pay", { id: 9 }]]);
});

test("an approval of another run asks again, and what no review stands behind is not called", async () => {
  const context = paying();
  const forked = { ...context, node: { ...context.node, executionId: 13 } };
  const again = await toolExecutorNode.resume?.(forked, decide("approve", { id: 9 }));
  expect(again).toMatchObject({ type: "wait", for: "review", request: { tool: "shop.pay", proposal: { id: 9 } } });
  const { review: _review, ...unreviewed } = { review: undefined, ...decide("approve", { id: 9 }) };
  const dry = toolExecutorNode.resume?.(paying(), unreviewed as NodeSignal); // cast: a decision without its review
  await expect(dry).rejects.toMatchObject({ code: "APPROVAL_NEEDED" });
  expect(open.calls).toEqual([]);
});

test("[004-049] [004-050] [004-097] results in the order of the calls, recorded, kept in $.toolResults and told to the model", async () => {
  const broken: ToolCall = { toolCallId: "c0", tool: "shop.broken", arguments: { id: 1 } };
  const context = contextOf([broken, get, pay]);
  const result = await toolExecutorNode.resume?.(context, {
    type: "items",
    items: [
      {
        key: "c2",
        status: "completed",
        output: { arguments: { id: 5 }, result: { seen: 5 }, edited: true },
        error: null,
        durationMs: 30,
      },
      {
        key: "c1",
        status: "completed",
        output: { arguments: { id: 4 }, result: { seen: 4 } },
        error: null,
        durationMs: 10,
      },
      {
        key: "c0",
        status: "failed",
        output: null,
        error: { code: "NODE_ERROR", message: "the shelf is locked" },
        durationMs: 20,
      },
    ],
  });
  const results = [
    { toolCallId: "c0", tool: "shop.broken", arguments: { id: 1 }, error: "the shelf is locked", durationMs: 20 },
    { toolCallId: "c1", tool: "shop.get", arguments: { id: 4 }, result: { seen: 4 }, durationMs: 10 },
    { toolCallId: "c2", tool: "shop.pay", arguments: { id: 5 }, result: { seen: 5 }, durationMs: 30 },
  ];
  const note = "A person changed the arguments";
  const message = {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c0",
        toolName: "shop.broken",
        output: { type: "error-text", value: "the shelf is locked" },
      },
      { type: "tool-result", toolCallId: "c1", toolName: "shop.get", output: { type: "json", value: { seen: 4 } } },
      {
        type: "tool-result",
        toolCallId: "c2",
        toolName: "shop.pay",
        output: { type: "json", value: { note, arguments: { id: 5 }, result: { seen: 5 } } },
      },
    ],
  };
  expect(result).toEqual({
    type: "done",
    output: { results, lastTool: "shop.pay" },
    toolCalls: results,
    patch: [
      { op: "add", path: "/messages/-", value: message },
      { op: "add", path: "/toolResults", value: results },
      { op: "add", path: "/toolCalls", value: [] },
    ],
  });
  expect(context.events).toEqual([["message.added", { message }]]);
});

test("history `none` keeps the results out of the conversation only", async () => {
  const context = contextOf([get], { input: { history: "none" } });
  const items = [
    { key: "c1", status: "completed" as const, output: { arguments: {}, result: 1 }, error: null, durationMs: 1 },
  ];
  const result = await toolExecutorNode.resume?.(context, { type: "items", items });
  expect(result).toMatchObject({ patch: [{ path: "/toolResults" }, { path: "/toolCalls" }] });
});

test("tool calls that some step broke are refused with the place", async () => {
  const context = createNodeContext(toolExecutorNode, {
    services: open.services,
    values: { toolCalls: [{ tool: "shop.get" }] },
  });
  await expect(toolExecutorNode.run(context)).rejects.toMatchObject({
    code: "TOOL_CALLS_INVALID",
    path: "$.toolCalls",
  });
});
