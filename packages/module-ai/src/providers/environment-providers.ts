import type { RuntimeEnvironment } from "@oven/module-registry";
import { PROVIDERS } from "./all-providers.ts";
import { openProvider, type ProviderDefinition } from "./define-provider.ts";
import type { Provider } from "./model-provider.ts";
import { nativeFetch } from "./native-fetch.ts";
import { rememberList } from "./remember-list.ts";

type Variables = NonNullable<RuntimeEnvironment["variables"]>;

/**
 * Providers that the operator has set up for everybody. The operator vouches for their addresses, so they are called directly: a model
 * server on this machine is what OPENAI_BASE_URL is for.
 */
export function environmentProviders(variables: Variables): Provider[] {
  return PROVIDERS.flatMap((definition) => fromEnvironment(definition, variables) ?? []);
}

function fromEnvironment(own: ProviderDefinition, variables: Variables): Provider | undefined {
  if (own.environment === undefined) return undefined;
  const { key, address } = own.environment;
  const apiKey = variables[key.name];
  const baseUrl = address && variables[address.name];
  const definition = address === undefined || baseUrl === undefined ? own : address.speaks;
  const api = openProvider(definition, { id: own.kind, apiKey, baseUrl, headers: {}, fetch: nativeFetch });
  const { kind, title } = definition;
  return {
    ...api,
    id: own.kind,
    title: baseUrl === undefined ? title : `${title} (${new URL(baseUrl).host})`,
    kind,
    configured: apiKey !== undefined || baseUrl !== undefined,
    simulated: false,
    ...(definition.baseUrl === null ? {} : { vendor: kind }),
    keyHint: `Check ${key.name}`,
    probe: api.listModels,
    listModels: rememberList(api.listModels),
  };
}
