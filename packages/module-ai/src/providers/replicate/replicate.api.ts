import { createReplicate } from "@ai-sdk/replicate";
import { z } from "zod";
import { downloadWith } from "../download-with.ts";
import { IN_PROMPT, refuseSettings } from "../image-settings.ts";
import { fetchList } from "../list-models.ts";
import type { ProviderApi, ProviderSettings, VideoModelV4 } from "../model-provider.ts";

/** Open image models, SDXL and Stable Diffusion among them. */
export function replicateApi({ apiKey = "", baseUrl, headers, fetch }: ProviderSettings): ProviderApi {
  const replicate = createReplicate({ apiToken: apiKey, baseURL: baseUrl, headers, fetch });
  return {
    imageModel: (modelId) => replicate.image(modelId),
    // cast: an earlier release of the same interface; it differs in webhooks, which are not used
    videoModel: (modelId) => replicate.video(modelId) as unknown as VideoModelV4,
    download: downloadWith(fetch),
    requestOptions: {},
    imageOptions(settings) {
      refuseSettings("Replicate", settings, { style: IN_PROMPT, quality: IN_PROMPT });
      return {};
    },
    async listModels() {
      const request = { url: `${baseUrl}/account`, headers: { authorization: `Bearer ${apiKey}`, ...headers }, fetch };
      await fetchList({ ...request, schema: z.looseObject({}) });
      return [];
    },
  };
}
