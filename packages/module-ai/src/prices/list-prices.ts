import { SHARED_TENANT } from "@oven/contract";
import type { Database } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { aiPrices } from "../tables/ai-prices.table.ts";

/** USD per million tokens: input, cached input, output. Then the tokens of the longest answer, where there are answers. */
type TokenPrices = Record<string, readonly [number, number, number, number?]>;

/*
 * List prices as the vendors published them at LIST_PRICES_AS_OF, which is to be changed with them. A starting point: rows of a tenant come first, and a
 * model without a price is shown as costing nothing rather than guessed. Prices and longest answers were compared with the
 * tables of models.dev; what prompts of more than 200,000 or 272,000 tokens cost more is not in them.
 */
const OPENAI: TokenPrices = {
  "gpt-4o": [2.5, 1.25, 10, 16_384],
  "gpt-4o-mini": [0.15, 0.075, 0.6, 16_384],
  "gpt-4.1": [2, 0.5, 8, 32_768],
  "gpt-4.1-mini": [0.4, 0.1, 1.6, 32_768],
  "gpt-4.1-nano": [0.1, 0.025, 0.4, 32_768],
  "gpt-6-astra": [10, 1, 50, 128_000],
  "gpt-5.6": [2, 0.2, 10, 128_000],
  "gpt-5.5": [5, 0.5, 30, 128_000],
  "gpt-5.4": [2.5, 0.25, 15, 128_000],
  "gpt-5.2": [1.75, 0.175, 14, 128_000],
  "gpt-5": [1.25, 0.125, 10, 128_000],
  "gpt-5-mini": [0.25, 0.025, 2, 128_000],
  "gpt-5-nano": [0.05, 0.005, 0.4, 128_000],
  "text-embedding-3-small": [0.02, 0.02, 0],
  "text-embedding-3-large": [0.13, 0.13, 0],
};
const ANTHROPIC: TokenPrices = {
  "claude-opus-5": [5, 0.5, 25, 128_000],
  "claude-sonnet-5": [2, 0.2, 10, 128_000],
  "claude-opus-4-5": [5, 0.5, 25, 64_000],
  "claude-opus-4-1": [15, 1.5, 75, 32_000],
  "claude-sonnet-4-5": [3, 0.3, 15, 64_000],
  "claude-sonnet-4-0": [3, 0.3, 15, 64_000],
  "claude-haiku-4-5": [1, 0.1, 5, 64_000],
};
const GOOGLE: TokenPrices = {
  // Half as much until the end of 2026.
  "gemini-3.8-flash": [1.5, 0.15, 7.5, 65_536],
  "gemini-2.5-pro": [1.25, 0.125, 10, 65_536],
  "gemini-2.5-flash": [0.3, 0.03, 2.5, 65_536],
  "gemini-2.5-flash-lite": [0.1, 0.01, 0.4, 65_536],
};
/** USD per image. */
const IMAGES: Record<string, Record<string, number>> = {
  openai: { "dall-e-3": 0.04 },
  "black-forest-labs": {
    "flux-pro-1.1": 0.04,
    "flux-pro-1.1-ultra": 0.06,
    "flux-kontext-pro": 0.04,
    "flux-kontext-max": 0.08,
  },
};

const micros = (usd: number) => Math.round(usd * 1e6);

/** Once written, a price is the operator's: it is not put back. */
export async function seedPrices(db: Database): Promise<void> {
  const rows = Object.entries({ openai: OPENAI, anthropic: ANTHROPIC, google: GOOGLE }).flatMap(
    ([providerId, models]) =>
      Object.entries(models).map(([modelId, [input, cached, output, maxOutputTokens]]) => ({
        tenantId: SHARED_TENANT,
        providerId,
        modelId,
        inputMicros: micros(input),
        cachedInputMicros: micros(cached),
        outputMicros: micros(output),
        maxOutputTokens: maxOutputTokens ?? null,
      })),
  );
  const images = Object.entries(IMAGES).flatMap(([providerId, models]) =>
    Object.entries(models).map(([modelId, usd]) => ({
      tenantId: SHARED_TENANT,
      providerId,
      modelId,
      imageMicros: micros(usd),
    })),
  );
  await db.orm
    .insert(aiPrices)
    .values([...rows, ...images])
    .onConflictDoUpdate({
      target: [aiPrices.tenantId, aiPrices.providerId, aiPrices.modelId],
      // Installations from before it was known learn it.
      set: { maxOutputTokens: sql`coalesce(${aiPrices.maxOutputTokens}, excluded.max_output_tokens)` },
    });
}
