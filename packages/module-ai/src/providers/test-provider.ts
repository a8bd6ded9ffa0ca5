import { isOvenError } from "@oven/contract";
import type { ProviderTest } from "@oven/contract/ai";
import type { Provider } from "./model-provider.ts";

/** Really calls a provider with its key: asks for its models, or for the account where it lists none. */
export async function testProvider(provider: Provider): Promise<ProviderTest> {
  const started = performance.now();
  const latencyMs = () => Math.round(performance.now() - started);
  try {
    const models = await provider.probe();
    return { ok: true, latencyMs: latencyMs(), models, problem: null, fix: null };
  } catch (error) {
    if (!isOvenError(error)) throw error;
    const status = error.details?.status;
    const fix = status === 401 || status === 403 ? provider.keyHint : (error.fix ?? null);
    return { ok: false, latencyMs: latencyMs(), models: [], problem: error.message, fix };
  }
}
