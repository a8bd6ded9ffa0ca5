import { SHARED_TENANT } from "@oven/contract";
import type { Database } from "@oven/db";
import { sql } from "@oven/db/drizzle";
import { PROVIDERS } from "../providers/all-providers.ts";
import { aiPrices } from "../tables/ai-prices.table.ts";

/*
 * List prices as the vendors published them: each is in the folder of its provider. A starting point: rows of a tenant come first,
 * and a model without a price is shown as costing nothing rather than guessed. Prices and longest answers were compared with the
 * tables of models.dev.
 */
const micros = (usd: number) => Math.round(usd * 1e6);

/** Once written, a price is the operator's: it is not put back. */
export async function seedPrices(db: Database): Promise<void> {
  const rows = PROVIDERS.flatMap(({ kind: providerId, tokenPrices = {} }) =>
    Object.entries(tokenPrices).map(([modelId, [input, cached, output, maxOutputTokens, contextTokens]]) => ({
      tenantId: SHARED_TENANT,
      providerId,
      modelId,
      inputMicros: micros(input),
      cachedInputMicros: micros(cached),
      outputMicros: micros(output),
      maxOutputTokens: maxOutputTokens ?? null,
      contextTokens: contextTokens ?? null,
    })),
  );
  const images = PROVIDERS.flatMap(({ kind: providerId, imagePrices = {} }) =>
    Object.entries(imagePrices).map(([modelId, usd]) => ({
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
      set: {
        maxOutputTokens: sql`coalesce(${aiPrices.maxOutputTokens}, excluded.max_output_tokens)`,
        contextTokens: sql`coalesce(${aiPrices.contextTokens}, excluded.context_tokens)`,
      },
    });
}
