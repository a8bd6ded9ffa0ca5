import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createTestPglite } from "@oven/db/testing";
import { type ModelReply, type ModelServer, startModelServer, TEST_KEY } from "@oven/testing";
import { generateText, isStepCount, type LanguageModel, streamText, tool } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { BASE_URL, type OpenAiOven, startOpenAiOven } from "./answers/testing/openai-oven.ts";

/* Tools that the caller of an agent runs by itself: the run waits, and goes on with what they answer. */

let server: ModelServer;
let oven: OpenAiOven;
let client: OpenAI;
let replies: ModelReply[] = [];
const model = "agent:helper";

beforeAll(async () => {
  server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
    models: ["house-model"],
  });
  oven = await startOpenAiOven(server);
  client = new OpenAI({ baseURL: BASE_URL, apiKey: TEST_KEY, fetch: oven.network, maxRetries: 0 });
  const agent = { model: "openai:house", systemPrompt: "Be short.", toolBindings: ["shop.get"] };
  for (const more of [{ name: "Helper", callerTools: true }, { name: "Closed" }]) {
    const made = await oven.call("POST", "agents", { ...agent, ...more });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
});
beforeEach(() => {
  server.requests.length = 0;
  replies = [
    { toolCalls: [{ id: "w1", name: "weather", arguments: { city: "Bonn" } }] },
    { text: "Rain in Bonn.", usage: { input: 12, output: 4 } },
  ];
});
afterAll(async () => {
  await oven.stop();
  await server.close();
});

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = { name: "weather", description: "The weather of a city", parameters };
const tools = [{ type: "function" as const, function: weather }];
const question = { role: "user" as const, content: "Weather in Bonn?" };
const runs = async (): Promise<number> =>
  Number((await oven.db.query<{ count: string }>("select count(*) from agent_workflow_executions"))[0]?.count);
const toolMessages = () =>
  ((server.requests.at(-1)?.body.messages ?? []) as { role: string; content: string; tool_call_id?: string }[]).filter(
    ({ role }) => role === "tool",
  );

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
const bodyOf = (answer: Response): Promise<any> => answer.json();

describe("openai", () => {
  it("gets the call, and the answer of the same run for its result, once", async () => {
    const before = await runs();
    const first = await client.chat.completions.create({ model, messages: [question], tools });
    const [choice] = first.choices;
    expect(choice).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    const [call] = choice?.message.tool_calls ?? [];
    expect(call).toMatchObject({ type: "function", function: { name: "weather", arguments: '{"city":"Bonn"}' } });
    const result = { role: "tool" as const, tool_call_id: call?.id ?? "", content: "rain" };
    const messages = [question, choice?.message ?? question, result];
    const second = await client.chat.completions.create({ model, messages, tools });
    expect(second.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Rain in Bonn." } });
    expect(toolMessages()).toMatchObject([{ tool_call_id: "w1", content: expect.stringContaining("rain") }]);
    // The same result again is the same answer, and asks no model.
    const again = await client.chat.completions.create({ model, messages, tools });
    expect(again.choices[0]?.message.content).toBe("Rain in Bonn.");
    expect(server.requests).toHaveLength(2);
    expect(await runs()).toBe(before + 1);
  });

  it("gets the call in a stream of chunks", async () => {
    const stream = client.chat.completions.stream({ model, messages: [question], tools });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { tool_calls: [{ function: { name: "weather", arguments: '{"city":"Bonn"}' } }] },
    });
  });

  it("gets the call as an item of a response, in a stream too, and goes on from it", async () => {
    const asked = {
      model,
      input: "Weather in Bonn?",
      tools: [{ type: "function" as const, strict: false, ...weather }],
    };
    const first = await client.responses.stream(asked).finalResponse();
    expect(first).toMatchObject({ status: "completed", output: [{ type: "function_call", name: "weather" }] });
    const [item] = first.output;
    const call_id = item?.type === "function_call" ? item.call_id : "";
    const input = [{ type: "function_call_output" as const, call_id, output: "rain" }];
    const second = await client.responses.create({ model, input, previous_response_id: first.id });
    expect(second.output_text).toBe("Rain in Bonn.");
    replies = [{ text: "Tomorrow, too." }];
    const third = await client.responses.create({ model, input: "Tomorrow?", previous_response_id: second.id });
    expect(third.output_text).toBe("Tomorrow, too.");
  });

  it("gets both its calls, while the agent runs its own tools by itself", async () => {
    replies = [
      {
        toolCalls: [
          { id: "w1", name: "weather", arguments: { city: "Bonn" } },
          { id: "g1", name: "shop_get", arguments: { id: 7 } },
          { id: "w2", name: "weather", arguments: { city: "Kiel" } },
        ],
      },
      { text: "Done." },
    ];
    const first = await client.chat.completions.create({ model, messages: [question], tools });
    const message = first.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    expect(calls).toHaveLength(2);
    const results = calls.map(({ id }, index) => ({ role: "tool" as const, tool_call_id: id, content: `r${index}` }));
    const half = client.chat.completions.create({ model, messages: [question, ...results.slice(0, 1)], tools });
    await expect(half).rejects.toMatchObject({ status: 400, code: "invalid_input" });
    const done = await client.chat.completions.create({ model, messages: [question, ...results], tools });
    expect(done.choices[0]?.message.content).toBe("Done.");
    expect(
      toolMessages()
        .map(({ tool_call_id }) => tool_call_id)
        .sort(),
    ).toEqual(["g1", "w1", "w2"]);
    expect(JSON.stringify(toolMessages())).toContain("seen");
  });

  it.each([
    ["an agent that does not allow it", "agent:closed", tools, "unsupported_parameter"],
    ["a name of the agent's own tools", model, [{ type: "function", function: { name: "Shop_get" } }], "invalid_input"],
    ["a name twice", model, [...tools, ...tools], "invalid_input"],
    ["what is no function", model, [{ type: "web_search" }], "unsupported_parameter"],
    ["a name that models do not take", model, [{ type: "function", function: { name: "a b" } }], "invalid_request"],
    [
      "more than fifty",
      model,
      Array.from({ length: 51 }, (_, at) => ({ type: "function", function: { name: `t${at}` } })),
      "invalid_input",
    ],
    [
      "more than a model should read",
      model,
      Array.from({ length: 4 }, (_, at) => ({
        type: "function",
        function: { name: `t${at}`, description: "x".repeat(19_000) },
      })),
      "invalid_input",
    ],
  ])("is refused %s, and nothing begins", async (_what, asked, given, code) => {
    const before = await runs();
    const answer = await oven.ask("chat/completions", { model: asked, messages: [question], tools: given });
    expect([answer.status, (await bodyOf(answer)).error.code]).toEqual([400, code]);
    expect(await runs()).toBe(before);
    expect(server.requests).toEqual([]);
  });

  it("takes results from the caller of the run alone", async () => {
    const first = await client.chat.completions.create({ model, messages: [question], tools });
    const [call] = first.choices[0]?.message.tool_calls ?? [];
    const messages = [{ role: "tool", tool_call_id: call?.id, content: "sun" }];
    const key = await oven.keyFor("admin");
    expect((await oven.ask("chat/completions", { model, messages }, { key })).status).toBe(404);
    expect(server.requests).toHaveLength(1);
    const mine = await oven.ask("chat/completions", { model, messages });
    expect((await bodyOf(mine)).choices[0].message.content).toBe("Rain in Bonn.");
  });
});

it("waits for the result through a restart", async () => {
  const db = await createTestPglite();
  const restarted: OpenAiOven[] = [];
  try {
    const first = await startOpenAiOven(server, db);
    const agent = { model: "openai:house", name: "Helper", callerTools: true };
    await first.call("POST", "agents", agent);
    const asked = await bodyOf(await first.ask("chat/completions", { model, messages: [question], tools }));
    await first.stop();
    const second = await startOpenAiOven(server, db);
    restarted.push(second);
    const [{ id }] = asked.choices[0].message.tool_calls;
    const messages = [question, { role: "tool", tool_call_id: id, content: "rain" }];
    const done = await bodyOf(await second.ask("chat/completions", { model, messages }));
    expect(done.choices[0].message.content).toBe("Rain in Bonn.");
    expect(done.metadata.oven_run_id).toBe(asked.metadata.oven_run_id);
  } finally {
    for (const one of restarted) await one.stop();
    await db.close();
  }
});

const openai = () => createOpenAI({ baseURL: BASE_URL, apiKey: TEST_KEY, fetch: oven.network });
const OFFERS: [string, () => LanguageModel][] = [
  ["chat of @ai-sdk/openai", () => openai().chat(model)],
  ["responses of @ai-sdk/openai", () => openai()(model)],
  [
    "@ai-sdk/openai-compatible",
    () => createOpenAICompatible({ name: "oven", baseURL: BASE_URL, apiKey: TEST_KEY, fetch: oven.network })(model),
  ],
];

describe.each(OFFERS)("%s", (_name, create) => {
  const asked: string[] = [];
  const weatherOf = tool({
    description: "The weather of a city",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      asked.push(city);
      return `rain in ${city}`;
    },
  });
  const request = () => ({
    model: create(),
    prompt: "Weather in Bonn?",
    tools: { weather: weatherOf },
    stopWhen: isStepCount(3),
  });

  it("runs its own tools in the loop of generateText", async () => {
    asked.length = 0;
    const before = await runs();
    const { text, steps } = await generateText(request());
    expect([text, steps.length, asked]).toEqual(["Rain in Bonn.", 2, ["Bonn"]]);
    expect(await runs()).toBe(before + 1);
  });

  it("runs them in that of streamText, too", async () => {
    asked.length = 0;
    expect(await streamText(request()).text).toBe("Rain in Bonn.");
    expect(asked).toEqual(["Bonn"]);
  });
});
