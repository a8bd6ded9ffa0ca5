import type { Message, ResolvedModel } from "@oven/contract/ai";
import { type ModelScript, type ModelServer, startModelServer } from "@oven/testing";
import { afterEach, expect, test } from "vitest";
import { environmentProviders } from "../providers/environment-providers.ts";
import type { Provider } from "../providers/model-provider.ts";
import { type CallAnswer, callModel } from "./call-model.ts";
import type { ModelRequest, OnText, TextSink } from "./model-request.ts";

let server: ModelServer;

afterEach(() => server.close());

const resolved: ResolvedModel = { providerId: "openai", modelId: "test-model", simulated: false, alias: null };
const user: Message = { role: "user", content: "Where is order 8841?" };
const getOrder = {
  id: "orders.get",
  description: "Reads an order",
  inputSchema: {
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
    additionalProperties: false,
  },
};

function openaiAt(OPENAI_BASE_URL: string, OPENAI_API_KEY?: string): Provider {
  const [provider] = environmentProviders({ OPENAI_API_KEY, OPENAI_BASE_URL });
  if (provider === undefined) throw new Error("no provider");
  return provider;
}

function languageModel(provider: Provider) {
  const model = provider.languageModel?.("test-model");
  if (model === undefined) throw new Error("no language models");
  return model;
}

async function call(
  script: ModelScript,
  request: Partial<ModelRequest> = {},
  sink?: OnText | TextSink,
): Promise<CallAnswer> {
  server = await startModelServer(script);
  const provider = openaiAt(server.url, "sk-test");
  return callModel({
    request: { model: "openai:test-model", messages: [user], caller: { tenantId: 1, userId: 1 }, ...request },
    resolved,
    provider,
    model: languageModel(provider),
    ...(sink === undefined ? {} : { sink: typeof sink === "function" ? { onText: sink } : sink }),
  });
}

const conversation: Message[] = [
  user,
  {
    role: "assistant",
    content: [
      { type: "text", text: "Let me look." },
      { type: "tool-call", toolCallId: "c1", toolName: "orders.get", input: { id: 8841 } },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName: "orders.get",
        output: { type: "json", value: { status: "late" } },
      },
    ],
  },
];

test("[004-025] the wire carries system, user, assistant and tool messages in order, with tool names without dots", async () => {
  const answer = await call([{ text: "It is late." }], {
    system: "You are kind.",
    messages: conversation,
    tools: [getOrder],
    temperature: 0.25,
    maxOutputTokens: 99,
    seed: 7,
    idempotencyKey: "key-1",
  });
  expect(answer).toMatchObject({ text: "It is late.", finishReason: "stop", toolCalls: [] });
  const request = server.requests[0];
  expect(request?.headers).toMatchObject({ authorization: "Bearer sk-test", "idempotency-key": "key-1" });
  expect(request?.body).toMatchObject({ model: "test-model", temperature: 0.25, max_tokens: 99, seed: 7 });
  expect(request?.body.messages).toEqual([
    { role: "system", content: "You are kind." },
    { role: "user", content: "Where is order 8841?" },
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [{ id: "c1", type: "function", function: { name: "orders_get", arguments: '{"id":8841}' } }],
    },
    { role: "tool", tool_call_id: "c1", content: '{"status":"late"}' },
  ]);
  expect(request?.body.tools).toEqual([
    {
      type: "function",
      function: { name: "orders_get", description: "Reads an order", parameters: getOrder.inputSchema },
    },
  ]);
});

test("[004-033] parallel tool calls come back with ids, tool ids and arguments, and as the message to keep", async () => {
  const toolCalls = [
    { id: "a", name: "orders_get", arguments: { id: 1 } },
    { id: "b", name: "orders_get", arguments: { id: 2 } },
  ];
  for (const sink of [undefined, { onText() {} }]) {
    const answer = await call([{ toolCalls }], { tools: [getOrder] }, sink);
    expect(answer.finishReason).toBe("tool-calls");
    expect(answer.toolCalls).toEqual([
      { toolCallId: "a", tool: "orders.get", arguments: { id: 1 } },
      { toolCallId: "b", tool: "orders.get", arguments: { id: 2 } },
    ]);
    expect(answer.message).toEqual({
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "a", toolName: "orders.get", input: { id: 1 } },
        { type: "tool-call", toolCallId: "b", toolName: "orders.get", input: { id: 2 } },
      ],
    });
    if (sink === undefined) await server.close();
  }
});

test("two calls that a server gave the same id are told apart", async () => {
  const same = { id: "x", name: "orders_get", arguments: {} };
  const answer = await call([{ toolCalls: [same, same] }], { tools: [getOrder] });
  expect(answer.toolCalls.map((toolCall) => toolCall.toolCallId)).toEqual(["x", "x-2"]);
});

test("[004-034] streamed text is handed over before the model has finished", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pieces: string[] = [];
  // The server holds back the rest until the first word has been seen: without streaming this would never end.
  const answer = await call([{ text: "One two three", gate: { after: 2, opened } }], {}, (_partId, text) => {
    pieces.push(text);
    open();
  });
  expect(pieces).toEqual(["One ", "two ", "three"]);
  expect(answer.text).toBe("One two three");
  expect(answer.usage).toEqual({ input: 11, output: 7, total: 18 });
  expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

test("reasoning is kept in the message, apart from the text, and its tokens are counted", async () => {
  const answer = await call([
    { reasoning: "Hmm.", text: "Yes.", usage: { input: 5, output: 9, cached: 2, reasoning: 4 } },
  ]);
  expect(answer.text).toBe("Yes.");
  expect(answer.message.content).toEqual([
    { type: "reasoning", text: "Hmm." },
    { type: "text", text: "Yes." },
  ]);
  expect(answer.usage).toEqual({ input: 5, output: 9, total: 14, cached: 2, reasoning: 4 });
});

test("a 429 says how long to wait, and is not retried here", async () => {
  await expect(call([{ status: 429, retryAfter: 3, message: "Slow down" }])).rejects.toMatchObject({
    code: "MODEL_RATE_LIMITED",
    retryable: true,
    retryAfterMs: 3_000,
  });
  expect(server.requests).toHaveLength(1);
});

test("an exhausted quota is not worth retrying", async () => {
  const error = { status: 429, code: "insufficient_quota", message: "You exceeded your current quota" };
  await expect(call([error])).rejects.toMatchObject({ code: "MODEL_QUOTA_EXHAUSTED", retryable: false });
});

test.each([
  [{ status: 500 }, "MODEL_UNAVAILABLE", true],
  [{ status: 400, message: "bad tool schema" }, "MODEL_REFUSED_REQUEST", false],
  [{ status: 401 }, "MODEL_REFUSED_REQUEST", false],
  [{ rawBody: "<html>not a model</html>" }, "MODEL_BAD_RESPONSE", true],
  [{ breakAfter: 0 }, "MODEL_UNAVAILABLE", true],
])("a reply of %j fails as %s", async (reply, code, retryable) => {
  await expect(call([reply])).rejects.toMatchObject({ code, retryable });
});

test.each([{ breakAfter: 3 }, { truncateAfter: 3 }])(
  "a stream that ends early (%j) is an error, not a short answer",
  async (cut) => {
    const pieces: string[] = [];
    const broken = call([{ text: "One two three four", ...cut }], {}, (_partId, text) => pieces.push(text));
    await expect(broken).rejects.toMatchObject({ code: "MODEL_STREAM_BROKEN", retryable: true });
    expect(pieces.join("")).toBe("One two ");
  },
);

test("[004-228] a stalled model is given up at its time-out and the connection closed", async () => {
  await expect(call([{ text: "One two", stallAfter: 1 }], { timeoutMs: 100 }, () => {})).rejects.toMatchObject({
    code: "MODEL_TIMEOUT",
    retryable: true,
  });
  await expect.poll(() => server.requests[0]?.aborted).toBe(true);
});

test("a stream that falls silent in the middle is given up long before the call's time-out", async () => {
  const pieces: string[] = [];
  const silent = call([{ text: "One two", stallAfter: 2 }], { idleTimeoutMs: 100 }, (_partId, text) =>
    pieces.push(text),
  );
  await expect(silent).rejects.toMatchObject({ code: "MODEL_STALLED", retryable: true });
  expect(pieces).toEqual(["One "]);
  await expect.poll(() => server.requests[0]?.aborted).toBe(true);
});

test("a step offers only the tools it names, under the names they have in every step", async () => {
  // The two share a plain wire name: told apart by hash, also where only one of them is offered.
  const tools = ["orders.get", "orders_get", "orders.list", "mail.send"].map((id) => ({ ...getOrder, id }));
  const named = async (activeTools?: string[]) => {
    await call([{ text: "Yes." }], { tools, ...(activeTools === undefined ? {} : { activeTools }) });
    // cast: the shape of the wire's tools
    const sent = (server.requests[0]?.body.tools ?? []) as { function: { name: string } }[];
    await server.close();
    return sent.map((tool) => tool.function.name);
  };
  const all = await named();
  expect(all).toHaveLength(4);
  expect(await named(["orders.*"])).toEqual([all[0], all[2]]);
  expect(await named(["orders_get", "nobody"])).toEqual([all[1]]);
  expect(await named([])).toEqual([]);
});

test("an abort reaches the wire, and the reason given is the error", async () => {
  const controller = new AbortController();
  const stopped = call([{ text: "One two", stallAfter: 2 }], { signal: controller.signal }, () => controller.abort());
  await expect(stopped).rejects.toMatchObject({ code: "MODEL_ABORTED", retryable: false });
  await expect.poll(() => server.requests[0]?.aborted).toBe(true);
});

test("arguments that are not JSON, and tools nobody offered, come back as calls instead of crashing", async () => {
  const toolCalls = [
    { id: "a", name: "orders_get", rawArguments: '{"id": 88' },
    { id: "b", name: "delete_everything", arguments: { sure: true } },
  ];
  for (const sink of [undefined, { onText() {} }]) {
    const answer = await call([{ toolCalls }, { text: "Sorry." }], { tools: [getOrder] }, sink);
    expect(answer.toolCalls).toEqual([
      { toolCallId: "a", tool: "orders.get", arguments: '{"id": 88' },
      { toolCallId: "b", tool: "delete_everything", arguments: { sure: true } },
    ]);
    const provider = openaiAt(server.url);
    const model = languageModel(provider);
    const messages = [user, answer.message];
    await callModel({
      request: { model: "m", messages, caller: { tenantId: 1, userId: null } },
      resolved,
      provider,
      model,
    });
    expect(server.requests[1]?.headers.authorization).toBeUndefined();
    expect(server.requests[1]?.body.messages).toEqual([
      { role: "user", content: "Where is order 8841?" },
      expect.objectContaining({
        tool_calls: [
          expect.objectContaining({
            id: "a",
            function: { name: "orders_get", arguments: JSON.stringify({ invalidArguments: '{"id": 88' }) },
          }),
          expect.objectContaining({ id: "b" }),
        ],
      }),
      // Both calls are still open: each gets a result that says so, because providers refuse open calls.
      { role: "tool", tool_call_id: "a", content: "This call was not run." },
      { role: "tool", tool_call_id: "b", content: "This call was not run." },
    ]);
    if (sink === undefined) await server.close();
  }
});

test("an output schema goes out as a response format, and a fenced object is read", async () => {
  const outputSchema = { type: "object", properties: { kind: { type: "string" } }, required: ["kind"] };
  const answer = await call([{ text: '```json\n{"kind":"refund"}\n```' }], { outputSchema });
  expect(answer.object).toEqual({ kind: "refund" });
  expect(server.requests[0]?.body.response_format).toMatchObject({
    type: "json_schema",
    json_schema: { schema: outputSchema, strict: false },
  });
});

test("text that is no object is still the text of the answer", async () => {
  const answer = await call([{ text: "I would rather not." }], { outputSchema: { type: "object" } });
  expect(answer.text).toBe("I would rather not.");
  expect(answer.object).toBeUndefined();
});

test("a tool choice names the tool as the wire does", async () => {
  await call([{ toolCalls: [{ name: "orders_get", arguments: {} }] }], {
    tools: [getOrder],
    toolChoice: { tool: "orders.get" },
  });
  expect(server.requests[0]?.body.tool_choice).toEqual({ type: "function", function: { name: "orders_get" } });
});

test.each([true, false])(
  "what a server sends of its reasoning as text becomes reasoning (streaming: %s)",
  async (streaming) => {
    const shown = new Map<string, string>();
    const sink = {
      onText: (id: string, text: string) => shown.set(id, (shown.get(id) ?? "") + text),
      onDiscarded(ids: string[]) {
        for (const id of ids) shown.delete(id);
      },
    };
    for (const text of [
      "<think>It is in transit.</think>\n\nIt is late.",
      "It is in transit.\n</think>\n\nIt is late.",
    ]) {
      shown.clear();
      const answer = await call([{ text }], {}, streaming ? sink : undefined);
      expect(answer.text).toBe("It is late.");
      expect(answer.message.content).toEqual([
        { type: "reasoning", text: "It is in transit.", providerOptions: { oven: { fromText: true } } },
        { type: "text", text: "It is late." },
      ]);
      expect([...shown.values()]).toEqual(streaming ? ["It is late."] : []);
      await server.close();
      // It goes back as the server takes it: without what it thought.
      await call([{ text: "Yes." }], { messages: [user, answer.message, user] });
      expect(server.requests[0]?.body.messages).toEqual([user, { role: "assistant", content: "It is late." }, user]);
      await server.close();
    }
  },
);

test.each([
  ["null", {}, "null as the arguments of orders.get"],
  ["", {}, null],
  ['""', {}, "an empty text as the arguments of orders.get"],
  [JSON.stringify('{"id":1}'), { id: 1 }, "text that holds an object"],
  ['{"id":1}', { id: 1 }, null],
  // Read once, and only where it comes to an object.
  [JSON.stringify(JSON.stringify('{"id":1}')), JSON.stringify('{"id":1}'), null],
  ['"8841"', "8841", null],
  ["[1]", [1], null],
])("tool arguments %j are read as %j", async (rawArguments, read, note) => {
  for (const sink of [undefined, { onText() {} }]) {
    const answer = await call([{ toolCalls: [{ name: "orders_get", rawArguments }] }], { tools: [getOrder] }, sink);
    expect(answer.toolCalls.map((one) => one.arguments)).toEqual([read]);
    if (note === null) expect(answer.notes).toBeUndefined();
    else expect(answer.notes).toEqual([expect.stringContaining(note)]);
    if (sink === undefined) await server.close();
  }
});
