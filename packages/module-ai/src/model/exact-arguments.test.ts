import type { Json, JsonObject } from "@oven/contract";
import type { Message, ResolvedModel } from "@oven/contract/ai";
import { type ModelServer, startModelServer } from "@oven/testing";
import { afterEach, describe, expect, it } from "vitest";
import { anthropicApi } from "../providers/anthropic/anthropic.api.ts";
import { environmentProviders } from "../providers/environment-providers.ts";
import { googleApi } from "../providers/google/google.api.ts";
import type { LanguageModelV4, Provider } from "../providers/model-provider.ts";
import { callModel } from "./call-model.ts";

const LONG = "7615917337495251231";
const user: Message = { role: "user", content: "Refund it" };
const resolved: ResolvedModel = { providerId: "openai", modelId: "m", simulated: false, alias: null };
const tool = (id: JsonObject) => ({
  id: "orders.refund",
  description: "Refunds",
  inputSchema: { type: "object", properties: { id, n: { type: "number" } } } satisfies JsonObject,
});
const WAYS = [false, true];

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The arguments of the one tool call that a model makes. */
async function argumentsOf(model: LanguageModelV4, provider: Provider, stream: boolean, id: JsonObject): Promise<Json> {
  const { toolCalls, message } = await callModel({
    request: { model: "openai:m", messages: [user], caller: { tenantId: 1, userId: 1 }, tools: [tool(id)] },
    resolved,
    provider,
    model,
    ...(stream ? { onText: () => undefined } : {}),
  });
  expect(toolCalls).toHaveLength(1);
  const given = toolCalls[0]?.arguments ?? null;
  // What the conversation repeats to the model is the same.
  expect(message.content).toEqual([expect.objectContaining({ type: "tool-call", input: given })]);
  return given;
}

function openai(address: string): Provider {
  const [provider] = environmentProviders({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: address });
  if (provider === undefined) throw new Error("no provider");
  return provider;
}

/** A provider's client on one answer, as a body or as the lines of a stream. */
function answering(body: string, lines: string[]): typeof fetch {
  return async (_input, init) => {
    const asked = String(init?.body);
    const isStream = asked.includes('"stream":true') || String(_input).includes("stream");
    return isStream
      ? new Response(lines.map((line) => `data: ${line}\n\n`).join(""), {
          headers: { "content-type": "text/event-stream" },
        })
      : new Response(body, { headers: { "content-type": "application/json" } });
  };
}

const usage = '"usage":{"input_tokens":1,"output_tokens":1}';
const ANTHROPIC = (given: string) =>
  answering(
    `{"type":"message","id":"m","model":"m","role":"assistant","stop_reason":"tool_use","stop_sequence":null,${usage},"content":[{"type":"tool_use","id":"c1","name":"orders_refund","input":${given}}]}`,
    [
      `{"type":"message_start","message":{"type":"message","id":"m","model":"m","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,${usage}}}`,
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"orders_refund","input":{}}}`,
      `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${JSON.stringify(given)}}}`,
      `{"type":"content_block_stop","index":0}`,
      `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":1}}`,
      `{"type":"message_stop"}`,
    ],
  );
const GOOGLE = (given: string) => {
  const text = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"orders_refund","args":${given}}}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`;
  return answering(text, [text]);
};

describe.each(WAYS)("the arguments of a model's tool call (streamed: %s)", (stream) => {
  const providers: [string, (given: string, id: JsonObject) => Promise<Json>][] = [
    [
      "OpenAI",
      async (given, id) => {
        server = await startModelServer([{ toolCalls: [{ name: "orders_refund", rawArguments: given }] }]);
        const provider = openai(server.url);
        const model = provider.languageModel?.("m");
        if (model === undefined) throw new Error("no model");
        return argumentsOf(model, provider, stream, id);
      },
    ],
    ...[["Anthropic", ANTHROPIC, anthropicApi] as const, ["Google", GOOGLE, googleApi] as const].map(
      ([name, answer, open]): [string, (given: string, id: JsonObject) => Promise<Json>] => [
        name,
        async (given, id) => {
          const settings = { id: "p", apiKey: "k", baseUrl: "https://model.example/v1", headers: {} };
          const api = open({ ...settings, fetch: answer(given) });
          const model = api.languageModel?.("m");
          if (model === undefined) throw new Error("no model");
          return argumentsOf(model, { ...openai("http://127.0.0.1:1"), ...api }, stream, id);
        },
      ],
    ),
  ];

  describe.each(providers)("of %s", (_name, ask) => {
    it("are handed on as they are when every number is exact", async () => {
      expect(await ask('{"id":12345678901234567000,"n":0.1}', { type: "integer" })).toEqual({
        id: 12345678901234567000,
        n: 0.1,
      });
    });

    it("have a long number as text where the tool takes text", async () => {
      expect(await ask(`{"id":${LONG},"n":2}`, { type: "string" })).toEqual({ id: LONG, n: 2 });
    });

    it.each([[{ type: "integer" }], [{}]])("are the text that they were where it takes %j", async (id) => {
      expect(String(await ask(`{"id":${LONG},"n":2}`, id)).replaceAll(" ", "")).toBe(`{"id":${LONG},"n":2}`);
    });
  });
});
