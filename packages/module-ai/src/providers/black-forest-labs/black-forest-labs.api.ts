import { createBlackForestLabs } from "@ai-sdk/black-forest-labs";
import { z } from "zod";
import { downloadWith } from "../download-with.ts";
import { IN_PROMPT, refuseSettings } from "../image-settings.ts";
import { fetchList } from "../list-models.ts";
import type { ProviderApi, ProviderSettings, VideoModelV4 } from "../model-provider.ts";

/** Flux, from its makers. */
export function blackForestLabsApi({ apiKey = "", baseUrl, headers, fetch }: ProviderSettings): ProviderApi {
  const bfl = createBlackForestLabs({ apiKey, baseURL: baseUrl, headers, fetch });
  return {
    imageModel: (modelId) => bfl.image(modelId),
    // cast: an earlier release of the same interface; it differs in webhooks, which are not used
    videoModel: (modelId) => bfl.video(modelId) as unknown as VideoModelV4,
    download: downloadWith(fetch),
    requestOptions: {},
    imageOptions(settings) {
      refuseSettings("Black Forest Labs", settings, { style: IN_PROMPT, quality: IN_PROMPT });
      return {};
    },
    async listModels() {
      const url = `${baseUrl}/credits`;
      await fetchList({ url, headers: { "x-key": apiKey, ...headers }, fetch, schema: z.looseObject({}) });
      return [];
    },
  };
}
