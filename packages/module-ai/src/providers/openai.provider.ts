import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { OvenError } from "@oven/contract";
import type { RuntimeEnvironment } from "@oven/module-registry";
import { z } from "zod";
import { openaiPrice } from "../usage/prices.ts";
import type { EmbeddingModelV4, LanguageModelV4, Provider } from "./model-provider.ts";
import { nativeFetch } from "./native-fetch.ts";

const OPENAI_URL = "https://api.openai.com/v1";
const LIST_TIMEOUT_MS = 5_000;

const ModelListSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

type Settings = Pick<RuntimeEnvironment, "openaiApiKey" | "openaiBaseUrl">;

interface Models {
  languageModel(modelId: string): LanguageModelV4;
  embeddingModel(modelId: string): EmbeddingModelV4;
}

/**
 * OpenAI itself (a key), or any compatible server (a base URL, with or without a key). A base URL always means
 * `/chat/completions`: it is the one endpoint that compatible servers share.
 */
export function createOpenaiProvider({ openaiApiKey, openaiBaseUrl }: Settings): Provider {
  const configured = openaiApiKey !== undefined || openaiBaseUrl !== undefined;
  const create = (): Models => {
    if (openaiBaseUrl === undefined) {
      const openai = createOpenAI({
        ...(openaiApiKey === undefined ? {} : { apiKey: openaiApiKey }),
        fetch: nativeFetch,
      });
      return {
        languageModel: (modelId) => openai.responses(modelId),
        embeddingModel: (modelId) => openai.embeddingModel(modelId),
      };
    }
    const compatible = createOpenAICompatible({
      name: "openai",
      baseURL: openaiBaseUrl,
      ...(openaiApiKey === undefined ? {} : { apiKey: openaiApiKey }),
      includeUsage: true,
      supportsStructuredOutputs: true,
      fetch: nativeFetch,
    });
    return {
      languageModel: (modelId) => compatible.chatModel(modelId),
      embeddingModel: (modelId) => compatible.embeddingModel(modelId),
    };
  };
  const models = create();
  let listed: string[] | undefined;
  return {
    id: "openai",
    title: openaiBaseUrl === undefined ? "OpenAI" : `OpenAI-compatible (${new URL(openaiBaseUrl).host})`,
    configured,
    simulated: false,
    ...models,
    requestOptions: {
      openai: {
        // Strict mode refuses schemas with optional properties; answers are checked here whatever the provider promises.
        strictJsonSchema: false,
        // A run may go on after the provider forgot what it stored, so the conversation is always sent whole.
        ...(openaiBaseUrl === undefined ? { store: false } : {}),
      },
    },
    async listModels() {
      listed ??= await fetchModelIds(openaiBaseUrl ?? OPENAI_URL, openaiApiKey);
      return listed;
    },
    price: (modelId) => (openaiBaseUrl === undefined ? openaiPrice(modelId) : undefined),
  };
}

async function fetchModelIds(baseUrl: string, apiKey: string | undefined): Promise<string[]> {
  const url = `${baseUrl.replace(/\/+$/, "")}/models`;
  try {
    const response = await nativeFetch(url, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(LIST_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return ModelListSchema.parse(await response.json()).data.map((model) => model.id);
  } catch (cause) {
    throw new OvenError("MODEL_UNAVAILABLE", `The list of models at ${url} could not be read`, {
      status: 503,
      fix: "Set the alias to a model by name, such as `openai:gpt-4.1-mini`, or check OPENAI_BASE_URL and OPENAI_API_KEY",
      retryable: true,
      cause,
    });
  }
}
