import type { ProviderKind } from "@oven/contract/ai";
import type { RuntimeEnvironment } from "@oven/module-registry";
import type { Provider } from "./model-provider.ts";
import { nativeFetch } from "./native-fetch.ts";
import { PROVIDER_KINDS } from "./provider-kinds.ts";
import { rememberList } from "./remember-list.ts";

export type EnvironmentKeys = Pick<
  RuntimeEnvironment,
  "openaiApiKey" | "openaiBaseUrl" | "anthropicApiKey" | "googleApiKey"
>;

/**
 * Providers that the operator has set up for everybody. The operator vouches for their addresses, so they are called directly: a model
 * server on this machine is what OPENAI_BASE_URL is for.
 */
export function environmentProviders(keys: EnvironmentKeys): Provider[] {
  const { openaiApiKey, openaiBaseUrl, anthropicApiKey, googleApiKey } = keys;
  const openai =
    openaiBaseUrl === undefined
      ? fromEnvironment("openai", "openai", openaiApiKey, "OPENAI_API_KEY")
      : fromEnvironment("openai", "openai-compatible", openaiApiKey, "OPENAI_API_KEY", openaiBaseUrl);
  return [
    openai,
    fromEnvironment("anthropic", "anthropic", anthropicApiKey, "ANTHROPIC_API_KEY"),
    fromEnvironment("google", "google", googleApiKey, "GOOGLE_GENERATIVE_AI_API_KEY"),
  ];
}

function fromEnvironment(
  id: string,
  kind: ProviderKind,
  apiKey: string | undefined,
  variable: string,
  baseUrl?: string,
): Provider {
  const { title, open } = PROVIDER_KINDS[kind];
  const address = baseUrl?.replace(/\/+$/, "");
  const api = open({ id, apiKey, baseUrl: address, headers: {}, fetch: nativeFetch });
  return {
    ...api,
    id,
    title: address === undefined ? title : `${title} (${new URL(address).host})`,
    kind,
    configured: apiKey !== undefined || baseUrl !== undefined,
    simulated: false,
    ...(kind === "openai-compatible" ? {} : { vendor: kind }),
    keyHint: `Check ${variable}`,
    probe: api.listModels,
    listModels: rememberList(api.listModels),
  };
}
