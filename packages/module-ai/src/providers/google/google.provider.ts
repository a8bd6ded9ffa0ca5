import type { ProviderDefinition } from "../define-provider.ts";
import { googleApi } from "./google.api.ts";

export const googleProvider: ProviderDefinition = {
  kind: "google",
  title: "Google",
  help: "Google's Gemini models, embeddings, images and videos.",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  environment: { key: { name: "GOOGLE_GENERATIVE_AI_API_KEY", description: "Key for Google's Gemini models" } },
  preferred: {
    fast: ["gemini-2.5-flash"],
    smart: ["gemini-2.5-pro"],
    embed: ["gemini-embedding-001"],
    image: ["gemini-2.5-flash-image"],
  },
  // Prompts of more than 200,000 tokens cost more, which is left out.
  tokenPrices: {
    // Half as much until the end of 2026.
    "gemini-3.8-flash": [1.5, 0.15, 7.5, 65_536],
    "gemini-2.5-pro": [1.25, 0.125, 10, 65_536, 1_048_576],
    "gemini-2.5-flash": [0.3, 0.03, 2.5, 65_536, 1_048_576],
    "gemini-2.5-flash-lite": [0.1, 0.01, 0.4, 65_536, 1_048_576],
  },
  open: googleApi,
};
