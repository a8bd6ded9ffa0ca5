import { SHARED_TENANT } from "@oven/contract";
import type { ModelPrice } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { Database } from "@oven/db";
import { and, eq, inArray, or } from "@oven/db/drizzle";
import { TenantRows, toStamps } from "../rows/tenant-rows.ts";
import { aiPrices } from "../tables/ai-prices.table.ts";

/** 10⁻⁶ USD per million tokens; images in 10⁻⁶ USD each, videos by the second. */
export type Price = Pick<
  ModelPrice,
  | "inputMicros"
  | "cachedInputMicros"
  | "outputMicros"
  | "imageMicros"
  | "videoSecondMicros"
  | "maxOutputTokens"
  | "contextTokens"
>;

interface PricedModel {
  providerId: string;
  modelId: string;
  /** Whose list prices hold for it. */
  vendor?: string | undefined;
}

/** `gpt-5-2025-08-07`, `claude-sonnet-4-5-20250929`: a dated release costs what its model costs. */
const RELEASE_DATE = /-(\d{4}-\d{2}-\d{2}|\d{8})$/;

/** The tenant's price of a model, else the vendor's list price; undefined when nobody has said what it costs. */
export async function findPrice(db: Database, tenantId: number, model: PricedModel): Promise<Price | undefined> {
  const { providerId, modelId, vendor } = model;
  const names = [modelId, modelId.replace(RELEASE_DATE, ""), "*"];
  const providers = vendor === undefined ? [providerId] : [providerId, vendor];
  const own = and(eq(aiPrices.tenantId, tenantId), inArray(aiPrices.providerId, providers));
  const listed =
    vendor === undefined ? undefined : and(eq(aiPrices.tenantId, SHARED_TENANT), eq(aiPrices.providerId, vendor));
  const rows = await db.orm
    .select()
    .from(aiPrices)
    .where(and(inArray(aiPrices.modelId, names), or(own, listed)));
  const rank = (row: typeof aiPrices.$inferSelect) =>
    (row.tenantId === tenantId ? 0 : 100) + names.indexOf(row.modelId) * 10 + providers.indexOf(row.providerId);
  const ranked = rows.sort((one, other) => rank(one) - rank(other));
  const [price] = ranked;
  // Who says what a model costs need not know how long its answers may be, nor how much it reads.
  const { maxOutputTokens = null } = ranked.find((row) => row.maxOutputTokens !== null) ?? {};
  const { contextTokens = null } = ranked.find((row) => row.contextTokens !== null) ?? {};
  return price && { ...price, maxOutputTokens, contextTokens };
}

/** What a call made that is not counted in tokens. */
export interface Made {
  images?: number;
  videoSeconds?: number;
}

/** What writing into a provider's cache costs beside the price of the input; of those that charge for it, Anthropic. */
const WRITE_SURCHARGE = 0.25;

/** Integer 10⁻⁶ USD, rounded up: many small calls never add up to nothing. */
export function toCostMicros(usage: TokenUsage, price: Price | undefined, made: Made = {}): number {
  if (price === undefined) return 0;
  const cached = Math.min(usage.cached ?? 0, usage.input);
  const written = Math.min(usage.written ?? 0, usage.input - cached);
  const tokens =
    (usage.input - cached + written * WRITE_SURCHARGE) * price.inputMicros +
    cached * price.cachedInputMicros +
    usage.output * price.outputMicros;
  const { images = 0, videoSeconds = 0 } = made;
  return Math.ceil(tokens / 1e6) + images * price.imageMicros + Math.ceil(videoSeconds * price.videoSecondMicros);
}

export function createPriceRows(db: Database): TenantRows<typeof aiPrices, ModelPrice> {
  const { id, providerId, modelId, createdAt, updatedAt } = aiPrices;
  return new TenantRows(db, {
    table: aiPrices,
    noun: "price",
    fields: { id, providerId, modelId, createdAt, updatedAt },
    search: [providerId, modelId],
    toView: (row) => ({ ...row, ...toStamps(row) }),
  });
}

/** Who names no price for cached input pays for it as for input. */
export function withCachedPrice(values: Record<string, unknown>): Record<string, unknown> {
  return { ...values, cachedInputMicros: values.cachedInputMicros ?? values.inputMicros };
}
