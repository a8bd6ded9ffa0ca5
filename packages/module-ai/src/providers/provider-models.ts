import { isOvenError } from "@oven/contract";
import type { ProviderModels } from "@oven/contract/ai";
import type { Provider } from "./model-provider.ts";

/** Some catalogues have tens of thousands: nobody picks from those. */
const LISTED = 500;

/** What each provider that is set up says it has. One that does not answer does not keep the others from it. */
export function listProviderModels(providers: readonly Provider[]): Promise<ProviderModels[]> {
  return Promise.all(providers.filter(({ configured }) => configured).map(modelsOf));
}

async function modelsOf(provider: Provider): Promise<ProviderModels> {
  const { id, title } = provider;
  try {
    const models = (await provider.listModels()).toSorted();
    return { id, title, models: models.slice(0, LISTED), truncated: models.length > LISTED, problem: null };
  } catch (error) {
    if (!isOvenError(error)) throw error;
    const problem = { message: error.message, fix: error.fix ?? null };
    return { id, title, models: [], truncated: false, problem };
  }
}
