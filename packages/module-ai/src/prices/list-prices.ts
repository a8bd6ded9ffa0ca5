import { SHARED_TENANT } from "@oven/contract";
import type { Database } from "@oven/db";
import { aiPrices } from "../tables/ai-prices.table.ts";

/** USD per million tokens: input, cached input, output. */
type TokenPrices = Record<string, readonly [number, number, number]>;

/*
 * List prices as the vendors published them when this was written. A starting point: rows of a tenant come first, and a
 * model without a price is shown as costing nothing rather than guessed.
 */
const OPENAI: TokenPrices = {
  "gpt-4o": [2.5, 1.25, 10],
  "gpt-4o-mini": [0.15, 0.075, 0.6],
  "gpt-4.1": [2, 0.5, 8],
  "gpt-4.1-mini": [0.4, 0.1, 1.6],
  "gpt-4.1-nano": [0.1, 0.025, 0.4],
  "gpt-5": [1.25, 0.125, 10],
  "gpt-5-mini": [0.25, 0.025, 2],
  "gpt-5-nano": [0.05, 0.005, 0.4],
  "text-embedding-3-small": [0.02, 0.02, 0],
  "text-embedding-3-large": [0.13, 0.13, 0],
};
const ANTHROPIC: TokenPrices = {
  "claude-opus-4-5": [5, 0.5, 25],
  "claude-opus-4-1": [15, 1.5, 75],
  "claude-sonnet-4-5": [3, 0.3, 15],
  "claude-sonnet-4-0": [3, 0.3, 15],
  "claude-haiku-4-5": [1, 0.1, 5],
};
const GOOGLE: TokenPrices = {
  "gemini-2.5-pro": [1.25, 0.125, 10],
  "gemini-2.5-flash": [0.3, 0.03, 2.5],
  "gemini-2.5-flash-lite": [0.1, 0.01, 0.4],
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
      Object.entries(models).map(([modelId, [input, cached, output]]) => ({
        tenantId: SHARED_TENANT,
        providerId,
        modelId,
        inputMicros: micros(input),
        cachedInputMicros: micros(cached),
        outputMicros: micros(output),
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
    .onConflictDoNothing();
}
