import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { z } from "zod";
import { refuseSettings } from "./image-settings.ts";
import { fetchList } from "./list-models.ts";
import type { ImageSettings, ProviderApi, ProviderSettings } from "./model-provider.ts";

const OPENAI_URL = "https://api.openai.com/v1";
const ModelListSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

// Strict mode refuses schemas with optional properties; answers are checked here whatever the provider promises.
const NOT_STRICT = { strictJsonSchema: false };

/** OpenAI itself, over `/responses`. */
export function openaiApi(settings: ProviderSettings): ProviderApi {
  const { apiKey = "", baseUrl = OPENAI_URL, headers, fetch } = settings;
  const openai = createOpenAI({ apiKey, baseURL: baseUrl, headers, fetch });
  return {
    languageModel: (modelId) => openai.responses(modelId),
    embeddingModel: (modelId) => openai.embeddingModel(modelId),
    imageModel: (modelId) => openai.image(modelId),
    // A run may go on after the provider forgot what it stored, so the conversation is always sent whole.
    requestOptions: { openai: { ...NOT_STRICT, store: false } },
    imageOptions: toImageOptions,
    listModels: () => listModels(settings, baseUrl),
  };
}

/** Any compatible server, with or without a key, over `/chat/completions`: the one endpoint that they share. */
export function openaiCompatibleApi(settings: ProviderSettings): ProviderApi {
  const { apiKey, baseUrl = OPENAI_URL, headers, fetch } = settings;
  const compatible = createOpenAICompatible({
    name: "openai",
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    headers,
    fetch,
  });
  return {
    languageModel: (modelId) => compatible.chatModel(modelId),
    embeddingModel: (modelId) => compatible.embeddingModel(modelId),
    imageModel: (modelId) => compatible.imageModel(modelId),
    requestOptions: { openai: NOT_STRICT },
    imageOptions: toImageOptions,
    listModels: () => listModels(settings, baseUrl),
  };
}

async function listModels({ apiKey, headers, fetch }: ProviderSettings, baseUrl: string): Promise<string[]> {
  const authorization: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const url = `${baseUrl}/models`;
  const list = await fetchList({ url, headers: { ...authorization, ...headers }, fetch, schema: ModelListSchema });
  return list.data.map(({ id }) => id);
}

function toImageOptions(settings: ImageSettings): Record<string, Record<string, string>> {
  refuseSettings("OpenAI's API", settings, {
    aspectRatio: "Give `size` instead, such as 1024x1536",
    seed: "Leave it out",
  });
  const { style, quality } = settings;
  return { openai: { ...(style === undefined ? {} : { style }), ...(quality === undefined ? {} : { quality }) } };
}
