import type { ProviderDefinition } from "../define-provider.ts";
import { anthropicApi } from "./anthropic.api.ts";

export const anthropicProvider: ProviderDefinition = {
  kind: "anthropic",
  title: "Anthropic",
  help: "Anthropic's Claude models.",
  baseUrl: "https://api.anthropic.com/v1",
  environment: { key: { name: "ANTHROPIC_API_KEY", description: "Key for Anthropic" } },
  preferred: {
    fast: ["claude-haiku-4-5", "claude-haiku-4-5-20251001"],
    smart: ["claude-opus-4-5", "claude-sonnet-4-5", "claude-sonnet-4-5-20250929"],
  },
  // Prompts of more than 200,000 tokens cost more, which is left out.
  tokenPrices: {
    "claude-opus-5": [5, 0.5, 25, 128_000, 1_000_000],
    "claude-sonnet-5": [2, 0.2, 10, 128_000, 1_000_000],
    "claude-opus-4-5": [5, 0.5, 25, 64_000, 200_000],
    "claude-opus-4-1": [15, 1.5, 75, 32_000, 200_000],
    "claude-sonnet-4-5": [3, 0.3, 15, 64_000, 200_000],
    "claude-sonnet-4-0": [3, 0.3, 15, 64_000, 200_000],
    "claude-haiku-4-5": [1, 0.1, 5, 64_000, 200_000],
  },
  open: anthropicApi,
};
