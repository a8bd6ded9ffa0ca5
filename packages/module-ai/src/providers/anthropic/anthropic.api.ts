import { createAnthropic } from "@ai-sdk/anthropic";
import { z } from "zod";
import { exactArgumentsFetch } from "../exact-arguments-fetch.ts";
import { fetchList } from "../list-models.ts";
import { claudeFiles } from "../model-files.ts";
import type { ProviderApi, ProviderSettings } from "../model-provider.ts";

const ModelListSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

export function anthropicApi(settings: ProviderSettings): ProviderApi {
  const { apiKey = "", baseUrl, headers, fetch } = settings;
  const anthropic = createAnthropic({ apiKey, baseURL: baseUrl, headers, fetch: exactArgumentsFetch(fetch, "input") });
  return {
    languageModel: (modelId) => anthropic.languageModel(modelId),
    files: { place: "result", of: claudeFiles },
    schemas: "anthropic-api",
    requestOptions: {},
    // What is sent with tools is sent again with their results: all up to the last message is read from the cache then.
    toolOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
    async listModels() {
      const own = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
      const url = `${baseUrl}/models?limit=1000`;
      const list = await fetchList({ url, headers: { ...own, ...headers }, fetch, schema: ModelListSchema });
      return list.data.map(({ id }) => id);
    },
  };
}
