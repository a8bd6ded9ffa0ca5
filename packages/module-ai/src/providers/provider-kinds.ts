import { CreateModelProviderSchema, type ProviderKindInfo } from "@oven/contract/ai";
import { z } from "zod";
import { findProvider, PROVIDERS } from "./all-providers.ts";
import { openProvider, type ProviderDefinition } from "./define-provider.ts";
import { nativeFetch } from "./native-fetch.ts";

/** `CreateModelProviderSchema`, for the kinds that are installed. */
export const CreateInstalledProviderSchema = CreateModelProviderSchema.extend({
  kind: z.enum(PROVIDERS.map(({ kind }) => kind)),
}).refine(({ kind, baseUrl }) => typeof baseUrl === "string" || !needsAddress(kind), {
  path: ["baseUrl"],
  message: "a server of this kind has an address of its own",
});

/** Whether there is no vendor's address to fall back to. */
export function needsAddress(kind: string): boolean {
  return findProvider(kind)?.baseUrl === null;
}

/** The kinds that can be set up, as people choose among them. */
export function providerKinds(): ProviderKindInfo[] {
  return PROVIDERS.map(toInfo);
}

function toInfo(definition: ProviderDefinition): ProviderKindInfo {
  const { kind, title, help, baseUrl } = definition;
  const settings = { id: kind, apiKey: undefined, baseUrl: undefined, headers: {}, fetch: nativeFetch };
  const { languageModel, embeddingModel, imageModel, videoModel } = openProvider(definition, settings);
  const made = { text: languageModel, embeddings: embeddingModel, images: imageModel, videos: videoModel };
  const makes = (["text", "embeddings", "images", "videos"] as const).filter((what) => made[what] !== undefined);
  return { id: kind, title, help, baseUrl, makes };
}
