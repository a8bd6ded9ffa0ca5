import type { JsonObject, Principal } from "@oven/contract";
import type { NodeDone, NodeResult } from "@oven/contract/node";
import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { llmNode } from "./llm.node.ts";
import { type ContextOptions, createNodeContext, type RecordedContext } from "./testing/node-context.ts";
import { type OpenServices, openServices } from "./testing/open-services.ts";
import { UNTRUSTED_NOTE } from "./tool-context.ts";

let open: OpenServices;
let replies: ModelReply[] = [];

beforeAll(async () => {
  open = await openServices(() => replies.shift() ?? { status: 500, message: "no reply left" });
});

beforeEach(() => {
  open.server.requests.length = 0;
});

afterAll(() => open.close());

async function run(
  given: ModelReply[],
  options: ContextOptions,
): Promise<{ result: NodeDone; context: RecordedContext; bodies: JsonObject[] }> {
  replies = given;
  const context = createNodeContext(llmNode, {
    agentConfig: { model: "openai:test" },
    services: open.services,
    ...options,
  });
  const result = toDone(await llmNode.run(context));
  return { result, context, bodies: open.server.requests.map((request) => request.body) };
}

function toDone(result: NodeResult): NodeDone {
  if (result.type !== "done") throw new Error("the model node waits");
  return result;
}

const earlier = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Hello!" },
];

test("[004-095] system, the conversation and the prompt are sent in this order; prompt and reply are appended", async () => {
  const { result, context, bodies } = await run([{ text: "It is late.", usage: { input: 20, output: 5 } }], {
    input: { prompt: "Where is it?" },
    values: { messages: earlier, systemPrompt: "Be kind." },
    agentConfig: { model: "openai:test", system: "never used" },
  });
  expect(bodies[0]?.messages).toEqual([
    { role: "system", content: "Be kind." },
    ...earlier,
    { role: "user", content: "Where is it?" },
  ]);
  const prompt = { role: "user", content: "Where is it?" };
  const reply = { role: "assistant", content: "It is late." };
  expect(result).toEqual({
    type: "done",
    output: { text: "It is late.", toolCalls: [], finishReason: "stop" },
    patch: [
      { op: "add", path: "/messages/-", value: prompt },
      { op: "add", path: "/messages/-", value: reply },
      { op: "add", path: "/toolCalls", value: [] },
    ],
    spend: {
      tokenUsage: { input: 20, output: 5, total: 25 },
      costMicros: 0,
      simulated: false,
      model: { providerId: "openai", modelId: "test" },
    },
  });
  expect(context.events).toEqual([
    ["message.added", { message: prompt }],
    ["message.added", { message: reply }],
  ]);
});

test.each([true, false])(
  "what the model thought is kept apart from what it said (streaming: %s)",
  async (streamingEnabled) => {
    const { result } = await run(
      [{ reasoning: "Let me see.", text: "Four.", usage: { input: 5, output: 9, cached: 2, reasoning: 4 } }],
      { input: { prompt: "2 + 2?" }, streamingEnabled },
    );
    expect(result.output).toMatchObject({ text: "Four.", reasoning: "Let me see." });
    expect(result.spend?.tokenUsage).toEqual({ input: 5, output: 9, total: 14, cached: 2, reasoning: 4 });
    expect(result.patch?.[1]).toMatchObject({
      value: {
        content: [
          { type: "reasoning", text: "Let me see." },
          { type: "text", text: "Four." },
        ],
      },
    });
  },
);

test("[004-035] tokens are streamed, and the recorded text is what they add up to", async () => {
  const { result, context, bodies } = await run([{ text: "One two three" }], { input: { prompt: "Count" } });
  expect(bodies[0]?.stream).toBe(true);
  expect(context.texts.map(([, chunk]) => chunk)).toEqual(["One ", "two ", "three"]);
  expect(new Set(context.texts.map(([partId]) => partId)).size).toBe(1);
  expect(result.output).toMatchObject({ text: "One two three" });
});

test("[004-091] a definition without streaming gets the answer whole", async () => {
  const { context, bodies, result } = await run([{ text: "One two" }], {
    input: { prompt: "Count" },
    streamingEnabled: false,
  });
  expect(bodies[0]?.stream).toBeUndefined();
  expect(context.texts).toEqual([]);
  expect(result.output).toMatchObject({ text: "One two" });
});

test("[004-026] [004-028] settings of the node win over those of agentConfig", async () => {
  const agentConfig = {
    model: "openai:house",
    system: "House rules",
    temperature: 0.1,
    topP: 0.9,
    maxOutputTokens: 50,
    seed: 3,
    tools: ["shop.get"],
  };
  const fromConfig = await run([{ text: "a" }], { input: { prompt: "x" }, agentConfig });
  expect(fromConfig.bodies[0]).toMatchObject({ model: "house", temperature: 0.1, top_p: 0.9, max_tokens: 50, seed: 3 });
  expect(fromConfig.bodies[0]?.messages).toContainEqual({
    role: "system",
    content: `House rules\n\n${UNTRUSTED_NOTE}`,
  });
  expect(fromConfig.bodies[0]?.tools).toHaveLength(1);
  open.server.requests.length = 0;
  const input = {
    prompt: "x",
    model: "openai:own",
    system: "Own rules",
    temperature: 0.7,
    maxOutputTokens: 9,
    tools: ["shop.*"],
  };
  const own = await run([{ text: "a" }], { input, agentConfig });
  expect(own.bodies[0]).toMatchObject({ model: "own", temperature: 0.7, top_p: 0.9, max_tokens: 9 });
  expect(own.bodies[0]?.messages).toContainEqual({ role: "system", content: `Own rules\n\n${UNTRUSTED_NOTE}` });
  expect(own.bodies[0]?.tools).toHaveLength(4);
});

test("without any model named the alias `fast` is used", async () => {
  const { bodies } = await run([{ text: "a" }], { input: { prompt: "x" }, agentConfig: {} });
  expect(bodies[0]?.model).toBe("house-model");
});

test("[004-195] [004-096] tools go out with their schemas; the calls asked for are pending in $.toolCalls", async () => {
  const toolCalls = [{ id: "c1", name: "shop_get", arguments: { id: 4 } }];
  const { result, bodies } = await run([{ text: "Looking.", toolCalls, finishReason: "stop" }], {
    input: { prompt: "x", tools: ["shop.get"] },
  });
  expect(bodies[0]?.tools).toEqual([
    {
      type: "function",
      function: {
        name: "shop_get",
        description: "What shop.get does. Part of shop: A shop.",
        parameters: expect.objectContaining({ required: ["id"], additionalProperties: false }),
      },
    },
  ]);
  const pending = [{ toolCallId: "c1", tool: "shop.get", arguments: { id: 4 } }];
  // The finish reason follows the calls, whatever word a server uses for it.
  expect(result.output).toEqual({ text: "Looking.", toolCalls: pending, finishReason: "tool-calls" });
  expect(result.patch?.at(-1)).toEqual({ op: "add", path: "/toolCalls", value: pending });
});

test("a caller without a tool's permission is not offered it, and an unknown pattern is an error", async () => {
  const principal: Principal = { kind: "user", userId: 2, tenantId: 1, permissions: [] };
  const { bodies } = await run([{ text: "a" }], { input: { prompt: "x", tools: ["shop.*"] }, principal });
  expect(bodies[0]?.tools).toBeUndefined();
  await expect(run([], { input: { prompt: "x", tools: ["shp.*"] } })).rejects.toMatchObject({ code: "TOOL_UNKNOWN" });
});

test("history `none` leaves the conversation as it is", async () => {
  const { result, bodies, context } = await run([{ text: "a" }], {
    input: { prompt: "x", history: "none" },
    values: { messages: earlier },
  });
  expect(bodies[0]?.messages).toHaveLength(3);
  expect(result.patch).toEqual([{ op: "add", path: "/toolCalls", value: [] }]);
  expect(context.events).toEqual([]);
});

test("messages of the node are sent instead of the conversation", async () => {
  const messages = [{ role: "user", content: "Only this" }];
  const { bodies } = await run([{ text: "a" }], { input: { messages }, values: { messages: earlier } });
  expect(bodies[0]?.messages).toEqual(messages);
});

const outputSchema = { type: "object", properties: { kind: { enum: ["refund", "other"] } }, required: ["kind"] };

test("an answer that does not fit the schema is asked for again, and what was streamed is discarded", async () => {
  const usage = { input: 10, output: 2 };
  const given = [
    { text: "a refund", usage },
    { text: '{"kind":"gift"}', usage },
    { text: '{"kind":"refund"}', usage },
  ];
  const { result, context, bodies } = await run(given, { input: { prompt: "Sort it", outputSchema } });
  expect(result.output).toMatchObject({ object: { kind: "refund" }, text: '{"kind":"refund"}' });
  expect(result.spend?.tokenUsage).toEqual({ input: 30, output: 6, total: 36 });
  expect(bodies[2]?.messages).toEqual([
    { role: "user", content: "Sort it" },
    { role: "assistant", content: "a refund" },
    { role: "user", content: expect.stringContaining("not JSON") },
    { role: "assistant", content: '{"kind":"gift"}' },
    { role: "user", content: expect.stringContaining("$.kind") },
  ]);
  expect(open.server.requests.map(({ headers }) => headers["idempotency-key"])).toEqual(["key-0", "key-1", "key-2"]);
  const parts = [...new Set(context.texts.map(([partId]) => partId))];
  expect(context.events.filter(([name]) => name === "text.discarded")).toEqual(
    parts.slice(0, 2).map((partId) => ["text.discarded", { partId }]),
  );
  // The corrections are this step's own business: the conversation has the prompt and the answer that holds.
  expect(result.patch?.filter(({ path }) => path === "/messages/-")).toHaveLength(2);
});

test("corrections are bounded, and the error says what did not fit", async () => {
  const wrong = [{ text: "no" }, { text: "no" }];
  await expect(run(wrong, { input: { prompt: "x", outputSchema, maxCorrections: 1 } })).rejects.toMatchObject({
    code: "OUTPUT_SCHEMA_MISMATCH",
    retryable: false,
    details: { attempts: 2 },
  });
  expect(replies).toEqual([]);
});

test("a conversation that some step broke is refused with the place, before any call", async () => {
  const broken = run([], { input: { prompt: "x" }, values: { messages: [{ role: "user", content: 5 }] } });
  await expect(broken).rejects.toMatchObject({
    code: "MESSAGES_INVALID",
    message: expect.stringContaining("$.messages[0]"),
  });
  expect(open.server.requests).toEqual([]);
});

test("a model's failure is the node's, with how long to wait", async () => {
  await expect(run([{ status: 429, retryAfter: 2 }], { input: { prompt: "x" } })).rejects.toMatchObject({
    code: "MODEL_RATE_LIMITED",
    retryAfterMs: 2_000,
  });
});

test("text of a model that broke off is taken back, and the log says who was asked instead", async () => {
  await open.db.query(
    `insert into ai_aliases (tenant_id, name, model, fallbacks) values (1, 'chain', 'openai:a', '["openai:b"]')`,
  );
  const { result, context } = await run([{ text: "One two three", breakAfter: 3 }, { text: "Four" }], {
    input: { prompt: "Count", model: "chain" },
  });
  expect(result.output).toMatchObject({ text: "Four" });
  const discarded = context.events.filter(([name]) => name === "text.discarded").map(([, { partId }]) => partId);
  const left = context.texts.filter(([partId]) => !discarded.includes(partId)).map(([, chunk]) => chunk);
  expect(left.join("")).toBe("Four");
  expect(context.logs).toContainEqual(["warn", expect.stringContaining("instead of openai:a")]);
});

test("a call says for which run, node, workflow and key it is made", async () => {
  const principal: Principal = { kind: "api-key", userId: null, keyId: 5, tenantId: 1, permissions: ["*"] };
  await run([{ text: "Yes" }], { input: { prompt: "x" }, principal });
  const [row] = await open.db.query("select * from ai_usage_logs order by id desc limit 1");
  expect(row).toMatchObject({ execution_id: 12, node_id: "draft", workflow: "agent-workflow:7", key_id: 5 });
});

test("[004-032] [004-218] usage, guardrails and rate limits hold for a node's call too", async () => {
  await run([{ text: "Yes", usage: { input: 6, output: 2 } }], { input: { prompt: "x" } });
  const [row] = await open.db.query("select * from ai_usage_logs order by id desc limit 1");
  expect(row).toMatchObject({ operation: "stream", status: "ok", token_usage: { input: 6, output: 2, total: 8 } });
  open.server.requests.length = 0;
  await open.db.query(
    `insert into ai_guardrails (tenant_id, name, direction, action, rule)
     values (1, 'No xyzzy', 'input', 'block', '{"kind":"keyword","words":["xyzzy"]}')`,
  );
  await expect(run([{ text: "Yes" }], { input: { prompt: "say xyzzy" } })).rejects.toMatchObject({
    code: "GUARDRAIL_BLOCKED",
  });
  await open.db.query(
    "insert into ai_rate_limits (tenant_id, provider_id, requests_per_minute) values (1, 'openai', 1)",
  );
  await run([{ text: "Yes" }], { input: { prompt: "x" } });
  await expect(run([{ text: "Yes" }], { input: { prompt: "x" } })).rejects.toMatchObject({
    code: "MODEL_RATE_LIMITED",
    retryable: true,
  });
  expect(open.server.requests).toHaveLength(1);
  await open.db.query("delete from ai_guardrails");
  await open.db.query("delete from ai_rate_limits");
});

test.each([true, false])(
  "an object among other words is taken, and the step says so (streaming: %s)",
  async (streamingEnabled) => {
    const outputSchema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
    const { result, context, bodies } = await run(
      [{ text: '<think>hm, {"a":2}?</think>Here it is:\n```JSON\n{"a":1}\n```\nHope it helps' }],
      { input: { prompt: "Which?", outputSchema, maxCorrections: 0 }, streamingEnabled },
    );
    expect(bodies).toHaveLength(1);
    const notes = [expect.stringContaining("taken out of the text around it")];
    expect(result.output).toMatchObject({ object: { a: 1 }, reasoning: 'hm, {"a":2}?', notes });
    expect(context.logs).toEqual([["info", notes[0]]]);
    expect(context.texts.map(([, text]) => text).join("")).not.toContain("hm");
  },
);
