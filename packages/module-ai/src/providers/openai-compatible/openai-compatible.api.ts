import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { z } from "zod";
import { refuseSettings } from "../image-settings.ts";
import { fetchList } from "../list-models.ts";
import { compatibleFiles } from "../model-files.ts";
import type { ImageSettings, ProviderApi, ProviderSettings } from "../model-provider.ts";

const ModelListSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** Strict mode refuses schemas with optional properties; answers are checked here whatever the provider promises. */
export const NOT_STRICT = { strictJsonSchema: false };

/** Any compatible server, with or without a key, over `/chat/completions`: the one endpoint that they share. */
export function openaiCompatibleApi(settings: ProviderSettings): ProviderApi {
  const { apiKey, baseUrl, headers, fetch } = settings;
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
    files: { place: "message", of: compatibleFiles },
    schemas: "openai-api",
    embeddingModel: (modelId) => compatible.embeddingModel(modelId),
    imageModel: (modelId) => compatible.imageModel(modelId),
    requestOptions: { openai: NOT_STRICT },
    imageOptions: toOpenaiImageOptions,
    listModels: () => listOpenaiModels(settings),
  };
}

/** The models that a server lists at `/models`. */
export async function listOpenaiModels({ apiKey, baseUrl, headers, fetch }: ProviderSettings): Promise<string[]> {
  const authorization: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const url = `${baseUrl}/models`;
  const list = await fetchList({ url, headers: { ...authorization, ...headers }, fetch, schema: ModelListSchema });
  return list.data.map(({ id }) => id);
}

/** OpenAI's words for style and quality. @throws OvenError IMAGE_OPTION_UNSUPPORTED */
export function toOpenaiImageOptions(settings: ImageSettings): Record<string, Record<string, string>> {
  refuseSettings("OpenAI's API", settings, {
    aspectRatio: "Give `size` instead, such as 1024x1536",
    seed: "Leave it out",
  });
  const { style, quality } = settings;
  return { openai: { ...(style === undefined ? {} : { style }), ...(quality === undefined ? {} : { quality }) } };
}
