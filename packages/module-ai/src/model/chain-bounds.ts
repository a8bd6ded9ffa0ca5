import { isOvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { type Chain, resolveChain } from "../aliases/resolve-model.ts";
import { findPrice, type Price } from "../prices/prices.ts";
import type { ProviderDirectory } from "../providers/provider-directory.ts";
import { FREE } from "../usage/meter.ts";

/** What one call of a model may read, answer and cost at most. */
export interface ModelBounds {
  /** `providerId:modelId` */
  model: string;
  /** Its longest answer and the most that it reads are in it, where they are known. Undefined: what it costs is not known. */
  price: Price | undefined;
}

/** What a name stands for now. */
export interface ChainBounds {
  /** Each may be asked, where those before it fail. */
  models: readonly ModelBounds[];
  /** The longest answer that the alias asks for, where a call does not say itself. */
  maxOutputTokens: number | undefined;
}

/** Models that cannot be called now are left out: nothing is spent on them. */
export async function chainBounds(
  db: Database,
  providers: ProviderDirectory,
  name: string,
  tenantId: number,
): Promise<ChainBounds> {
  const chain = await orUndefined(resolveChain(db, providers, name, tenantId));
  if (chain === undefined) return { models: [], maxOutputTokens: undefined };
  const found = await Promise.all(chain.names.map((model) => boundsOf(db, chain, model, tenantId)));
  return { models: found.filter((one) => one !== undefined), maxOutputTokens: chain.settings.maxOutputTokens };
}

async function boundsOf(db: Database, chain: Chain, name: string, tenantId: number): Promise<ModelBounds | undefined> {
  const candidate = await orUndefined(chain.candidate(name));
  if (candidate === undefined) return undefined;
  const { resolved, provider } = candidate;
  const priced = { providerId: provider.id, modelId: resolved.modelId, vendor: provider.vendor };
  const isFree = resolved.simulated || provider.kind === "local";
  const price = (await findPrice(db, tenantId, priced)) ?? (isFree ? FREE : undefined);
  return { model: `${resolved.providerId}:${resolved.modelId}`, price };
}

/** What cannot be had is undefined: calling it will say so. */
async function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isOvenError(error)) return undefined;
    throw error;
  }
}
