import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { type ModelReply, type ModelServer, startModelServer, TEST_KEY } from "@oven/testing";
import { generateText, type LanguageModel, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BASE_URL, type OpenAiOven, startOpenAiOven } from "./answers/testing/openai-oven.ts";

/* The clients that people use, as they come from npm. */

let server: ModelServer;
let oven: OpenAiOven;
let replies: ModelReply[] = [];
const model = "agent:helper";
const paying = "agent:payer";

beforeAll(async () => {
  server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
    models: ["house-model"],
  });
  oven = await startOpenAiOven(server);
  const agent = { model: "openai:house", systemPrompt: "Be short." };
  await oven.call("POST", "agents", { ...agent, name: "Helper" });
  await oven.call("POST", "agents", { ...agent, name: "Payer", toolBindings: ["shop.pay"] });
});
beforeEach(() => {
  server.requests.length = 0;
  replies = [{ text: "It is there.", usage: { input: 12, output: 4 } }];
});
afterAll(async () => {
  await oven.stop();
  await server.close();
});

const pays = (): ModelReply[] => [
  { toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 9 } }] },
  { text: "Paid." },
];

async function approve(reviewId: string): Promise<void> {
  const { body: review } = await oven.call("GET", `reviews/${reviewId}`);
  await oven.call("POST", `reviews/${reviewId}/decide`, { action: "approve", digest: review.digest });
}

describe("openai", () => {
  let client: OpenAI;
  beforeAll(() => {
    client = new OpenAI({ baseURL: BASE_URL, apiKey: TEST_KEY, fetch: oven.network });
  });

  it("lists models", async () => {
    const ids = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual(expect.arrayContaining([model, paying]));
    expect((await client.models.retrieve(model)).owned_by).toBe("oven");
  });

  it("chats", async () => {
    const completion = await client.chat.completions.create({ model, messages: [{ role: "user", content: "?" }] });
    expect(completion.choices[0]?.message.content).toBe("It is there.");
    expect(completion.usage?.total_tokens).toBe(16);
  });

  it("chats in a stream", async () => {
    const stream = client.chat.completions.stream({
      model,
      messages: [{ role: "user", content: "?" }],
      stream_options: { include_usage: true },
    });
    const deltas: string[] = [];
    stream.on("content", (delta) => void deltas.push(delta));
    const completion = await stream.finalChatCompletion();
    expect(deltas.join("")).toBe("It is there.");
    expect(completion.choices[0]?.message.content).toBe("It is there.");
    expect(completion.usage?.total_tokens).toBe(16);
  });

  it("asks for responses in a stream, and goes on", async () => {
    const stream = client.responses.stream({ model, input: "?" });
    const deltas: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => void deltas.push(delta));
    const first = await stream.finalResponse();
    expect(deltas.join("")).toBe("It is there.");
    expect(first).toMatchObject({ status: "completed", output_text: "It is there.", usage: { total_tokens: 16 } });
    replies = [{ text: "Yes." }];
    const second = await client.responses.create({ model, input: "Still?", previous_response_id: first.id });
    expect(second.output_text).toBe("Yes.");
    expect(server.requests.at(-1)?.body.messages).toContainEqual({ role: "assistant", content: "It is there." });
    expect((await client.responses.retrieve(first.id)).output_text).toBe("It is there.");
  });

  it("gets the outcome of a run that waited for a person", async () => {
    replies = pays();
    const paused = await client.responses.stream({ model: paying, input: "Pay" }).finalResponse();
    expect(paused).toMatchObject({ status: "incomplete", metadata: { status: "paused" } });
    await approve(paused.metadata?.oven_review_id ?? "");
    const done = await client.responses.create({ model: paying, previous_response_id: paused.id });
    expect(done.output_text).toBe("Paid.");
  });

  it("meets errors as its own, and starts no run twice", async () => {
    const messages = [{ role: "user" as const, content: "?" }];
    await expect(client.chat.completions.create({ model: "gpt-5", messages })).rejects.toThrow(OpenAI.NotFoundError);
    const stranger = client.withOptions({ apiKey: "wrong" });
    await expect(stranger.models.list()).rejects.toThrow(OpenAI.AuthenticationError);
    replies = [
      { status: 400, message: "Too much" },
      { status: 400, message: "Too much" },
    ];
    await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject({ type: "run_failed" });
    const stream = client.chat.completions.stream({ model, messages });
    await expect(stream.finalContent()).rejects.toThrow(/Too much/);
    expect(server.requests).toHaveLength(2);
  });
});

const OFFERS: [string, () => LanguageModel][] = [
  [
    "chat of @ai-sdk/openai",
    () => createOpenAI({ baseURL: BASE_URL, apiKey: TEST_KEY, fetch: oven.network }).chat(model),
  ],
  [
    "responses of @ai-sdk/openai",
    () => createOpenAI({ baseURL: BASE_URL, apiKey: TEST_KEY, fetch: oven.network })(model),
  ],
  [
    "@ai-sdk/openai-compatible",
    () =>
      createOpenAICompatible({
        name: "oven",
        baseURL: BASE_URL,
        apiKey: TEST_KEY,
        fetch: oven.network,
        includeUsage: true,
      })(model),
  ],
];

describe.each(OFFERS)("%s", (_name, create) => {
  it("generates, and goes on with the conversation", async () => {
    const first = await generateText({ model: create(), instructions: "In French.", prompt: "Is it there?" });
    expect(first.text).toBe("It is there.");
    expect(first.finishReason).toBe("stop");
    expect(first.usage.totalTokens).toBe(16);
    replies = [{ text: "Yes." }];
    const messages = [
      { role: "user" as const, content: "Is it there?" },
      ...first.response.messages,
      { role: "user" as const, content: "Still?" },
    ];
    expect((await generateText({ model: create(), messages })).text).toBe("Yes.");
    expect(server.requests.at(-1)?.body.messages).toEqual([
      expect.objectContaining({ role: "system" }),
      { role: "user", content: "Is it there?" },
      { role: "assistant", content: "It is there." },
      { role: "user", content: "Still?" },
    ]);
  });

  it("streams", async () => {
    const stream = streamText({ model: create(), prompt: "?" });
    let text = "";
    for await (const delta of stream.textStream) text += delta;
    expect(text).toBe("It is there.");
    expect((await stream.usage).totalTokens).toBe(16);
  });

  it("fails once with a run that fails", async () => {
    replies = [{ status: 400, message: "Too much" }];
    await expect(generateText({ model: create(), prompt: "?" })).rejects.toThrow(/Too much/);
    expect(server.requests).toHaveLength(1);
  });
});

describe("@langchain/openai", () => {
  const chat = () =>
    new ChatOpenAI({ model, apiKey: TEST_KEY, configuration: { baseURL: BASE_URL, fetch: oven.network } });

  it("invokes", async () => {
    const message = await chat().invoke([
      ["system", "In French."],
      ["human", "?"],
    ]);
    expect(message.text).toBe("It is there.");
    expect(message.usage_metadata?.total_tokens).toBe(16);
  });

  it("streams", async () => {
    let text = "";
    for await (const chunk of await chat().stream("?")) text += chunk.text;
    expect(text).toBe("It is there.");
  });

  it("fails once with a run that fails", async () => {
    replies = [{ status: 400, message: "Too much" }];
    await expect(chat().invoke("?")).rejects.toThrow(/Too much/);
    expect(server.requests).toHaveLength(1);
  });
});
