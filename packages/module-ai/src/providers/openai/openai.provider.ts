import type { ProviderDefinition } from "../define-provider.ts";
import { openaiCompatibleProvider } from "../openai-compatible/openai-compatible.provider.ts";
import { openaiApi } from "./openai.api.ts";

export const openaiProvider: ProviderDefinition = {
  kind: "openai",
  title: "OpenAI",
  help: "OpenAI's own language models, embeddings and images.",
  baseUrl: "https://api.openai.com/v1",
  environment: {
    key: { name: "OPENAI_API_KEY", description: "Key for OpenAI, or for the server at `OPENAI_BASE_URL`" },
    address: {
      name: "OPENAI_BASE_URL",
      description: "Any OpenAI-compatible server, such as `http://localhost:11434/v1`",
      speaks: openaiCompatibleProvider,
    },
  },
  preferred: {
    fast: ["gpt-5.4-mini", "gpt-5-mini", "gpt-4.1-mini", "gpt-4o-mini"],
    smart: ["gpt-5.6", "gpt-5.4", "gpt-5.2", "gpt-5", "gpt-4.1", "gpt-4o"],
    embed: ["text-embedding-3-small", "text-embedding-3-large"],
    image: ["gpt-image-1", "dall-e-3"],
  },
  // Prompts of more than 272,000 tokens cost more, which is left out.
  tokenPrices: {
    "gpt-4o": [2.5, 1.25, 10, 16_384, 128_000],
    "gpt-4o-mini": [0.15, 0.075, 0.6, 16_384, 128_000],
    "gpt-4.1": [2, 0.5, 8, 32_768, 1_047_576],
    "gpt-4.1-mini": [0.4, 0.1, 1.6, 32_768, 1_047_576],
    "gpt-4.1-nano": [0.1, 0.025, 0.4, 32_768, 1_047_576],
    "gpt-6-astra": [10, 1, 50, 128_000],
    "gpt-5.6": [2, 0.2, 10, 128_000, 1_050_000],
    "gpt-5.5": [5, 0.5, 30, 128_000, 1_050_000],
    "gpt-5.4": [2.5, 0.25, 15, 128_000, 1_050_000],
    "gpt-5.2": [1.75, 0.175, 14, 128_000, 400_000],
    "gpt-5": [1.25, 0.125, 10, 128_000, 400_000],
    "gpt-5-mini": [0.25, 0.025, 2, 128_000, 400_000],
    "gpt-5-nano": [0.05, 0.005, 0.4, 128_000, 400_000],
    "text-embedding-3-small": [0.02, 0.02, 0],
    "text-embedding-3-large": [0.13, 0.13, 0],
  },
  imagePrices: { "dall-e-3": 0.04 },
  open: openaiApi,
};
