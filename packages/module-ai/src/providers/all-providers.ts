import { anthropicProvider } from "./anthropic/anthropic.provider.ts";
import { blackForestLabsProvider } from "./black-forest-labs/black-forest-labs.provider.ts";
import type { PreferredModels, ProviderDefinition } from "./define-provider.ts";
import { googleProvider } from "./google/google.provider.ts";
import { openaiProvider } from "./openai/openai.provider.ts";
import { openaiCompatibleProvider } from "./openai-compatible/openai-compatible.provider.ts";
import { replicateProvider } from "./replicate/replicate.provider.ts";

/** Every kind of provider, in the order in which `auto` tries those of the environment. */
export const PROVIDERS: readonly ProviderDefinition[] = [
  openaiProvider,
  openaiCompatibleProvider,
  anthropicProvider,
  googleProvider,
  blackForestLabsProvider,
  replicateProvider,
];

/** Undefined for a kind that was installed once and is not any more: rows of tenants outlive it. */
export function findProvider(kind: string): ProviderDefinition | undefined {
  return PROVIDERS.find((provider) => provider.kind === kind);
}

/** Of every vendor, because a server may list models of several: the best first. */
export function preferredModels(purpose: keyof PreferredModels): string[] {
  return PROVIDERS.flatMap(({ preferred }) => preferred?.[purpose] ?? []);
}
