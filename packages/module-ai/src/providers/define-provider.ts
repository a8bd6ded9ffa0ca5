import type { EnvironmentVariable } from "@oven/module-registry";
import { z } from "zod";
import type { ProviderApi, ProviderSettings } from "./model-provider.ts";

/**
 * USD per million tokens: input, cached input, output. Then the tokens of the longest answer, where there are answers, and of the most that
 * it reads in one call, where that is known.
 */
type TokenPrices = Record<string, readonly [number, number, number, number?, number?]>;

/** A variable that an operator sets to have a provider for every tenant. */
interface ProviderVariable {
  name: string;
  /** Its line in README's table of settings. */
  description: string;
}

/** Best first: what `auto` takes of the models that a provider lists, by what they are for. */
export interface PreferredModels {
  fast?: readonly string[];
  smart?: readonly string[];
  embed?: readonly string[];
  image?: readonly string[];
}

/** A kind of model provider: everything that OVEN knows about one vendor, or about one protocol of servers. */
export interface ProviderDefinition {
  /** Stored with the providers that tenants set up, and the id of the one that the environment sets up. Never changed. */
  kind: string;
  title: string;
  /** One sentence for people who choose among the kinds. */
  help: string;
  /** The vendor's own address, without a slash at its end. Null: each server has an address of its own, and no list prices. */
  baseUrl: string | null;
  /** How an operator sets it up for every tenant. Absent: tenants set it up themselves. */
  environment?: {
    key: ProviderVariable;
    /** Another server instead of the vendor's, and how that one is talked to. */
    address?: ProviderVariable & { speaks: ProviderDefinition };
  };
  preferred?: PreferredModels;
  /** What the alias `image` takes of a vendor that lists no models. */
  unlistedImageModel?: string;
  /** List prices as the vendor published them. Once written into an installation, a price is the operator's. */
  tokenPrices?: TokenPrices;
  /** USD per image. */
  imagePrices?: Record<string, number>;
  open(settings: ProviderSettings): ProviderApi;
}

/** The variables of a provider, as the module declares them. */
export function toVariables({ environment }: ProviderDefinition): EnvironmentVariable[] {
  if (environment === undefined) return [];
  const { key, address } = environment;
  const variables: EnvironmentVariable[] = [
    { name: key.name, description: key.description, schema: z.string().min(1), isSecret: true },
  ];
  if (address !== undefined)
    variables.push({
      name: address.name,
      description: address.description,
      schema: z.url({ protocol: /^https?$/ }),
    });
  return variables;
}

/** Talks to a provider at the given address, or else at the vendor's own. */
export function openProvider(
  { baseUrl: own, open }: ProviderDefinition,
  { baseUrl, ...settings }: Omit<ProviderSettings, "baseUrl"> & { baseUrl: string | undefined },
): ProviderApi {
  return open({ ...settings, baseUrl: (baseUrl ?? own ?? "").replace(/\/+$/, "") });
}
