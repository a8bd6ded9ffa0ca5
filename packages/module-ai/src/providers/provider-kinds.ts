import type { ProviderKind } from "@oven/contract/ai";
import { anthropicApi } from "./anthropic.api.ts";
import { blackForestLabsApi } from "./black-forest-labs.api.ts";
import { googleApi } from "./google.api.ts";
import type { ProviderApi, ProviderSettings } from "./model-provider.ts";
import { openaiApi, openaiCompatibleApi } from "./openai.api.ts";
import { replicateApi } from "./replicate.api.ts";

export const PROVIDER_KINDS: Record<ProviderKind, { title: string; open(settings: ProviderSettings): ProviderApi }> = {
  openai: { title: "OpenAI", open: openaiApi },
  "openai-compatible": { title: "OpenAI-compatible", open: openaiCompatibleApi },
  anthropic: { title: "Anthropic", open: anthropicApi },
  google: { title: "Google", open: googleApi },
  "black-forest-labs": { title: "Black Forest Labs (Flux)", open: blackForestLabsApi },
  replicate: { title: "Replicate", open: replicateApi },
};
