import { createOpenAI } from "@ai-sdk/openai";
import { gptFiles } from "../model-files.ts";
import type { ProviderApi, ProviderSettings } from "../model-provider.ts";
import { listOpenaiModels, NOT_STRICT, toOpenaiImageOptions } from "../openai-compatible/openai-compatible.api.ts";

/** OpenAI itself, over `/responses`. */
export function openaiApi(settings: ProviderSettings): ProviderApi {
  const { apiKey = "", baseUrl, headers, fetch } = settings;
  const openai = createOpenAI({ apiKey, baseURL: baseUrl, headers, fetch });
  return {
    languageModel: (modelId) => openai.responses(modelId),
    files: { place: "result", of: gptFiles },
    schemas: "openai-api",
    strictTools: true,
    embeddingModel: (modelId) => openai.embeddingModel(modelId),
    imageModel: (modelId) => openai.image(modelId),
    // A run may go on after the provider forgot what it stored, so the conversation is always sent whole.
    requestOptions: { openai: { ...NOT_STRICT, store: false } },
    imageOptions: toOpenaiImageOptions,
    listModels: () => listOpenaiModels(settings),
  };
}
