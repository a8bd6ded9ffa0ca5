import { createGoogle } from "@ai-sdk/google";
import { z } from "zod";
import { downloadWith } from "../download-with.ts";
import { exactArgumentsFetch } from "../exact-arguments-fetch.ts";
import { IN_PROMPT, refuseSettings } from "../image-settings.ts";
import { fetchList } from "../list-models.ts";
import { geminiFiles } from "../model-files.ts";
import type { ProviderApi, ProviderSettings } from "../model-provider.ts";

const ModelListSchema = z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) });

export function googleApi(settings: ProviderSettings): ProviderApi {
  const { apiKey = "", baseUrl, headers, fetch } = settings;
  const google = createGoogle({ apiKey, baseURL: baseUrl, headers, fetch: exactArgumentsFetch(fetch, "args") });
  return {
    languageModel: (modelId) => google.languageModel(modelId),
    files: { place: "result", of: geminiFiles },
    schemas: "gemini-api",
    embeddingModel: (modelId) => google.embeddingModel(modelId),
    imageModel: (modelId) => google.image(modelId),
    videoModel: (modelId) => google.video(modelId),
    download: downloadWith(fetch),
    requestOptions: {},
    imageOptions(settings) {
      refuseSettings("Google", settings, { size: "Give `aspectRatio` instead", style: IN_PROMPT, quality: IN_PROMPT });
      return {};
    },
    async listModels() {
      const url = `${baseUrl}/models?pageSize=1000`;
      const request = { url, headers: { "x-goog-api-key": apiKey, ...headers }, fetch, schema: ModelListSchema };
      return (await fetchList(request)).models.map(({ name }) => name.replace(/^models\//, ""));
    },
  };
}
