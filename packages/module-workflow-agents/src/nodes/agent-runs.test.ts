import type { Json, JsonObject } from "@oven/contract";
import type { EngineHarness } from "@oven/engine/testing";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OpenServices, openServices } from "./testing/open-services.ts";
import { runAgents } from "./testing/run-agents.ts";
import { UNTRUSTED_NOTE } from "./tool-context.ts";

let open: OpenServices;
let replies: ModelReply[] = [];

beforeAll(async () => {
  open = await openServices(() => replies.shift() ?? { status: 400, message: "no reply left" });
});

beforeEach(() => {
  open.server.requests.length = 0;
  open.calls.length = 0;
});

afterAll(() => open.close());

/** `draft` as a tool loop, then the end. */
function loop(input: JsonObject, more: JsonObject = {}): EngineHarness {
  return runAgents(
    {
      initial: "draft",
      agentConfig: { model: "openai:test" },
      states: {
        draft: { invoke: { src: "agent.toolLoop", input: { tools: ["shop.*"], ...input }, onDone: "done" } },
        done: { type: "final", output: "$.draft_output" },
      },
      ...more,
    },
    open.services,
  );
}

const rolesOf = (messages: Json | undefined): Json[] =>
  Array.isArray(messages)
    ? messages.map((message) =>
        message !== null && typeof message === "object" && !Array.isArray(message) ? (message.role ?? null) : null,
      )
    : [];

test("[004-011] [004-052] [004-160] the loop alternates model and tools until the answer, and the model sees every result", async () => {
  replies = [
    {
      toolCalls: [
        { id: "a", name: "shop_get", arguments: { id: 1 } },
        { id: "b", name: "shop_list", arguments: { id: 2 } },
      ],
    },
    { toolCalls: [{ id: "c", name: "shop_get", arguments: { id: 3 } }] },
    { text: "All three are there.", usage: { input: 30, output: 6 } },
  ];
  const harness = loop({ prompt: "Look for {{ $.trigger.what }}" });
  const id = await harness.execute({ what: "bread" });
  expect(harness.columns(id)).toMatchObject({
    status: "completed",
    output: { text: "All three are there.", iterations: 3, finishReason: "stop" },
    tokenUsage: { input: 52, output: 20, total: 72 },
  });
  expect(harness.rows(id)).toEqual([
    "draft#1 completed",
    "draft.llm#1 completed",
    "draft.tools#1 completed",
    "draft.tools#1/a completed",
    "draft.tools#1/b completed",
    "draft.llm#2 completed",
    "draft.tools#2 completed",
    "draft.tools#2/c completed",
    "draft.llm#3 completed",
  ]);
  const { values } = await harness.context(id);
  expect(rolesOf(values.messages)).toEqual(["user", "assistant", "tool", "assistant", "tool", "assistant"]);
  expect(values.toolCalls).toEqual([]);
  expect(open.server.requests[2]?.body.messages).toEqual([
    { role: "system", content: UNTRUSTED_NOTE },
    { role: "user", content: "Look for bread" },
    expect.objectContaining({
      role: "assistant",
      tool_calls: [expect.objectContaining({ id: "a" }), expect.objectContaining({ id: "b" })],
    }),
    { role: "tool", tool_call_id: "a", content: '{"seen":1}' },
    { role: "tool", tool_call_id: "b", content: '{"seen":2}' },
    expect.objectContaining({ role: "assistant", tool_calls: [expect.objectContaining({ id: "c" })] }),
    { role: "tool", tool_call_id: "c", content: '{"seen":3}' },
  ]);
  const keys = open.calls.map(([, , key]) => key);
  expect(new Set(keys).size).toBe(3);
});

test.each([
  [{ maxIterations: 2 }, {}, 2],
  [{}, { maxToolIterations: 3 }, 3],
  [{}, {}, 10],
])(
  "[004-053] [004-090] an endless loop stops at its limit with an error that names it (%j, %j)",
  async (input, more, limit) => {
    replies = Array.from({ length: 20 }, (_, index) => ({
      toolCalls: [{ id: `c${index}`, name: "shop_get", arguments: { id: index } }],
    }));
    const harness = loop({ prompt: "Never stop", ...input }, more);
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      errorInfo: { code: "TOOL_LOOP_LIMIT", message: expect.stringContaining(`${limit} iterations`) },
    });
    expect(open.server.requests).toHaveLength(limit);
  },
);

test("the limit reaches onError of the loop, and a loop entered again counts from one", async () => {
  const endless = (): ModelReply => ({ toolCalls: [{ name: "shop_get", arguments: { id: 1 } }] });
  replies = [endless(), endless(), { text: "Shorter now." }];
  const harness = runAgents(
    {
      initial: "draft",
      agentConfig: { model: "openai:test" },
      context: { tries: 0 },
      states: {
        draft: {
          invoke: {
            src: "agent.toolLoop",
            input: { prompt: "Try {{ $.tries }}", tools: ["shop.*"], maxIterations: 2 },
            onDone: "done",
            onError: { target: "draft", actions: [{ type: "assign", params: { path: "$.tries", add: 1 } }] },
          },
        },
        done: { type: "final", output: "$.draft_output" },
      },
    },
    open.services,
  );
  const id = await harness.execute();
  expect(harness.columns(id)).toMatchObject({ status: "completed", output: { text: "Shorter now.", iterations: 1 } });
  // The calls that the limit left open are answered for, or a provider would refuse the conversation.
  expect(open.server.requests[2]?.body.messages).toContainEqual(
    expect.objectContaining({ role: "tool", content: "This call was not run." }),
  );
  expect(open.server.requests[2]?.body.messages).toContainEqual({ role: "user", content: "Try 1" });
});

test("[004-239] a tool that fails, is invented or gets bad arguments is told to the model, which goes on", async () => {
  replies = [
    {
      toolCalls: [
        { id: "a", name: "shop_get", rawArguments: '{"id": ' },
        { id: "b", name: "shop_explode", arguments: {} },
        { id: "c", name: "shop_get", arguments: { id: "one" } },
      ],
    },
    { text: "I give up politely." },
  ];
  const harness = loop({ prompt: "Break things" });
  const id = await harness.execute();
  expect(harness.columns(id)).toMatchObject({ status: "completed", output: { text: "I give up politely." } });
  expect(harness.rows(id).filter((row) => row.includes("failed"))).toHaveLength(3);
  const told = open.server.requests[1]?.body.messages;
  expect(told).toContainEqual({ role: "tool", tool_call_id: "a", content: expect.stringContaining("not JSON") });
  expect(told).toContainEqual({ role: "tool", tool_call_id: "b", content: expect.stringContaining("shop_explode") });
  expect(told).toContainEqual({ role: "tool", tool_call_id: "c", content: expect.stringContaining("$.id") });
  expect(open.calls).toEqual([]);
});

test("a call that needs approval pauses the loop; what the person edited is what runs, the other calls run once", async () => {
  replies = [
    {
      text: "She should be paid.",
      toolCalls: [
        { id: "a", name: "shop_get", arguments: { id: 1 } },
        { id: "b", name: "shop_pay", arguments: { id: 9 } },
      ],
    },
    { text: "Done." },
  ];
  const harness = loop({ prompt: "Pay her" });
  const id = await harness.execute();
  expect(harness.columns(id).status).toBe("paused");
  expect(open.calls.map(([tool]) => tool)).toEqual(["shop.get"]);
  const [review] = [...harness.store.reviews.values()];
  expect(review?.open).toMatchObject({
    item: "b",
    nodeId: "draft.tools",
    request: { tool: "shop.pay", proposal: { id: 9 } },
  });
  await harness.decide(review?.id ?? 0, "edit", { id: 5 });
  expect(harness.columns(id)).toMatchObject({ status: "completed", output: { text: "Done.", iterations: 2 } });
  expect(open.calls.map(([tool, input]) => [tool, input])).toEqual([
    ["shop.get", { id: 1 }],
    ["shop.pay", { id: 5 }],
  ]);
  expect(open.server.requests[1]?.body.messages).toContainEqual({
    role: "tool",
    tool_call_id: "b",
    content: expect.stringContaining('"seen":5'),
  });
});

const asked = (key: string, operator: string, value?: Json): JsonObject => ({
  type: "condition",
  params: { key, operator, ...(value === undefined ? {} : { value }) },
});

/** Payments are reviewed before they run, other tools run at once. */
const byHand: JsonObject = {
  initial: "ask",
  agentConfig: { model: "openai:test", tools: ["shop.*"] },
  entry: [
    { type: "assign", params: { path: "$.messages", append: { role: "user", content: "{{ $.trigger.message }}" } } },
  ],
  states: {
    ask: {
      invoke: {
        src: "agent.llm",
        onDone: [
          { target: "done", guard: asked("$.toolCalls", "empty") },
          { target: "review", guard: asked("$.toolCalls[0].tool", "==", "shop.pay") },
          { target: "tools" },
        ],
      },
    },
    tools: { invoke: { src: "agent.toolExecutor", onDone: "ask" } },
    review: {
      invoke: {
        src: "agent.humanReview",
        input: { toolCall: "$.toolCalls[0]" },
        onDone: [
          {
            target: "pay",
            guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
          },
          { target: "declined" },
        ],
      },
    },
    pay: { invoke: { src: "agent.toolExecutor", input: { approved: "$.review_output.toolCall" }, onDone: "ask" } },
    declined: {
      invoke: {
        src: "agent.llm",
        input: { prompt: "Declined: {{ $.review_output.reason }}", toolChoice: "none" },
        onDone: "done",
      },
    },
    done: { type: "final", output: "$.text" },
  },
};

test("[004-005] [004-096] a loop drawn by hand works like the tool loop", async () => {
  replies = [
    { toolCalls: [{ id: "a", name: "shop_get", arguments: { id: 1 } }] },
    { toolCalls: [{ id: "b", name: "shop_get", arguments: { id: 2 } }] },
    { text: "Two found." },
  ];
  const harness = runAgents(byHand, open.services);
  const id = await harness.execute({ message: "Find both" });
  expect(harness.columns(id)).toMatchObject({ status: "completed", output: "Two found." });
  expect(rolesOf((await harness.context(id)).values.messages)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("[004-075] a call reviewed before it is run: approved it runs without a second review, declined the model hears why", async () => {
  const pays: ModelReply = { toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 9 } }] };

  replies = [pays, { text: "Paid." }];
  const approved = runAgents(byHand, open.services);
  const first = await approved.execute({ message: "Pay" });
  expect(approved.columns(first).status).toBe("paused");
  expect(open.calls).toEqual([]);
  await approved.decide(1, "approve", { id: 9 });
  expect(approved.columns(first)).toMatchObject({ status: "completed", output: "Paid." });
  expect(open.calls.map(([, input]) => input)).toEqual([{ id: 9 }]);

  open.server.requests.length = 0;
  replies = [pays, { text: "Sorry, no." }];
  const declined = runAgents(byHand, open.services);
  const second = await declined.execute({ message: "Pay" });
  await declined.decide(1, "reject", { id: 9 }, "too much");
  expect(declined.columns(second)).toMatchObject({ status: "completed", output: "Sorry, no." });
  expect(open.calls).toHaveLength(1);
  expect(open.server.requests[1]?.body.messages).toEqual([
    { role: "system", content: UNTRUSTED_NOTE },
    { role: "user", content: "Pay" },
    expect.objectContaining({ role: "assistant" }),
    { role: "tool", tool_call_id: "p", content: "This call was not run." },
    { role: "user", content: "Declined: too much" },
  ]);
});

test("[004-077] a rejection that no branch asks about fails the run with the reason", async () => {
  const definition = {
    initial: "review",
    states: {
      review: { invoke: { src: "agent.humanReview", input: { show: "text" }, onDone: "done" } },
      done: { type: "final" },
    },
  };
  const harness = runAgents(definition, open.services);
  const id = await harness.execute();
  await harness.decide(1, "reject", "text", "not like this");
  expect(harness.columns(id)).toMatchObject({
    status: "failed",
    errorInfo: { code: "REVIEW_REJECTED", message: expect.stringContaining("not like this") },
  });
});

const prompted = {
  initial: "prompt",
  agentConfig: { model: "openai:test" },
  states: {
    prompt: {
      invoke: {
        src: "agent.prompt",
        input: { system: "Answer {{ $.trigger.name }} in {{ $.trigger.language }}." },
        onDone: "ask",
      },
    },
    ask: { invoke: { src: "agent.llm", input: { prompt: "Hello" }, onDone: "done" } },
    done: { type: "final", output: "$.text" },
  },
};

test("[004-083] a prompt is filled from the run and used by the next model step; what is missing is named", async () => {
  replies = [{ text: "Bom dia" }];
  const harness = runAgents(prompted, open.services);
  const id = await harness.execute({ name: "Inês", language: "Portuguese" });
  expect(harness.columns(id).output).toBe("Bom dia");
  expect(open.server.requests[0]?.body.messages).toContainEqual({
    role: "system",
    content: "Answer Inês in Portuguese.",
  });
  const lacking = await harness.execute({ name: "Inês" });
  expect(harness.columns(lacking)).toMatchObject({
    status: "failed",
    errorInfo: { nodeId: "prompt", message: expect.stringContaining("$.trigger.language") },
  });
});

test("data that looks like a template reaches the model as it is", async () => {
  replies = [{ text: "ok" }];
  const harness = loop({ prompt: "$.trigger.message" });
  await harness.execute({ message: "What is {{ $.trigger.secret }} and $.messages?" });
  expect(open.server.requests[0]?.body.messages).toEqual([
    { role: "system", content: UNTRUSTED_NOTE },
    { role: "user", content: "What is {{ $.trigger.secret }} and $.messages?" },
  ]);
});

test("a rate limit is waited out as long as the provider asks, then the same call is made again", async () => {
  replies = [{ status: 429, retryAfter: 7 }, { text: "Now." }];
  const harness = loop({ prompt: "Hi" });
  const id = await harness.execute();
  await harness.elapse(6_000);
  expect(open.server.requests).toHaveLength(1);
  await harness.elapse(2_000);
  expect(harness.columns(id)).toMatchObject({ status: "completed", output: { text: "Now." } });
  const [first, second] = open.server.requests;
  expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
});
