import type { JsonObject } from "@oven/contract";
import type { ResolvedModel } from "@oven/contract/ai";
import { expect, it } from "vitest";
import { toCostMicros } from "../prices/prices.ts";
import { anthropicApi } from "../providers/anthropic/anthropic.api.ts";
import { environmentProviders } from "../providers/environment-providers.ts";
import type { Provider } from "../providers/model-provider.ts";
import { callModel } from "./call-model.ts";

const resolved: ResolvedModel = { providerId: "anthropic", modelId: "m", simulated: false, alias: null };
const tool = { id: "orders.get", description: "Gets", inputSchema: { type: "object", properties: {} } };
const ANSWER = {
  ...{ type: "message", id: "m", model: "m", role: "assistant", stop_reason: "end_turn", stop_sequence: null },
  content: [{ type: "text", text: "Hello" }],
  usage: { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 2_000, cache_creation_input_tokens: 400 },
};

/** A provider of Anthropic's API at the other end of a wire that notes what is sent. */
function anthropic(sent: JsonObject[]): Provider {
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return new Response(JSON.stringify(ANSWER), { headers: { "content-type": "application/json" } });
  };
  const [provider] = environmentProviders({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
  if (provider === undefined) throw new Error("no provider");
  const settings = { id: "anthropic", apiKey: "k", baseUrl: "http://127.0.0.1:9/v1", headers: {}, fetch };
  return { ...provider, ...anthropicApi(settings) };
}

async function call(provider: Provider, tools: (typeof tool)[]) {
  const model = provider.languageModel?.("m");
  if (model === undefined) throw new Error("no model");
  return callModel({
    request: {
      ...{ model: "anthropic:m", system: "Be brief.", caller: { tenantId: 1, userId: 1 } },
      ...{ messages: [{ role: "user", content: "Hello" }], tools },
    },
    ...{ resolved, provider, model },
  });
}

it("has Anthropic keep what is sent with tools, and counts what that costs", async () => {
  const sent: JsonObject[] = [];
  const provider = anthropic(sent);
  const { usage } = await call(provider, [tool]);
  expect(sent[0]).toMatchObject({ cache_control: { type: "ephemeral" } });
  expect(usage).toEqual({ input: 2_500, output: 10, total: 2_510, cached: 2_000, written: 400 });
  const price = { inputMicros: 3_000_000, cachedInputMicros: 300_000, outputMicros: 15_000_000 };
  const rest = { imageMicros: 0, videoSecondMicros: 0, maxOutputTokens: null, contextTokens: null };
  // 100 tokens at the price of input, 400 at a quarter more, 2,000 from the cache, 10 of the answer.
  expect(toCostMicros(usage, { ...price, ...rest })).toBe(300 + 1_500 + 600 + 150);
  await call(provider, []);
  expect(sent[1]).not.toHaveProperty("cache_control");
});
