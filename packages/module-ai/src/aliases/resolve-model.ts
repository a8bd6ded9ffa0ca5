import { isOvenError, OvenError } from "@oven/contract";
import type { AliasSettings, ModelFallback, ResolvedModel } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { automaticEmbedding } from "../embeddings/automatic-embedding.ts";
import { automaticImage } from "../images/automatic-image.ts";
import { preferredModels } from "../providers/all-providers.ts";
import type { Provider } from "../providers/model-provider.ts";
import type { ProviderDirectory } from "../providers/provider-directory.ts";
import { ECHO_MODEL } from "../simulated/simulated.provider.ts";
import { AUTO, aliasNames, EMBED_ALIAS, findAlias, IMAGE_ALIAS, isSmart, unknownModel } from "./aliases.ts";

/** A model with the provider it is called at. */
export interface Candidate {
  resolved: ResolvedModel;
  provider: Provider;
}

/** What a name stands for, in the order in which to try it. Each is looked up only when its turn comes. */
export interface Chain {
  names: readonly string[];
  settings: AliasSettings;
  /** @throws OvenError MODEL_UNKNOWN, MODEL_PROVIDER_NOT_CONFIGURED, MODEL_UNAVAILABLE */
  candidate(name: string): Promise<Candidate>;
}

/**
 * What a name stands for now. A name that stands for nothing is an error: no other model is ever taken in its place.
 * @throws OvenError MODEL_UNKNOWN
 */
export async function resolveChain(
  db: Database,
  providers: ProviderDirectory,
  name: string,
  tenantId: number,
): Promise<Chain> {
  const find = (model: string, alias: string | null) =>
    model === AUTO && alias !== null ? automatic(providers, tenantId, alias) : named(providers, tenantId, model, alias);
  if (name.includes(":")) return { names: [name], settings: {}, candidate: (model) => find(model, null) };
  const alias = await findAlias(db, tenantId, name);
  if (alias === undefined) throw unknownModel(name, await aliasNames(db, tenantId));
  const names = [alias.model, ...alias.fallbacks];
  return { names, settings: alias.settings, candidate: (model) => find(model, name) };
}

/** The first of a chain that can be called now. @throws what the last of them throws */
export async function firstCandidate(chain: Chain): Promise<Candidate> {
  for (const [index, name] of chain.names.entries()) {
    try {
      return await chain.candidate(name);
    } catch (error) {
      if (index === chain.names.length - 1 || !mayFallBack(error)) throw error;
    }
  }
  throw new Error("a chain has at least one model");
}

/** Whether another model may be asked instead: this one is away, overloaded, too slow or not set up. */
const PASSED_ON: ReadonlySet<string> = new Set([
  "MODEL_UNAVAILABLE",
  "MODEL_RATE_LIMITED",
  "MODEL_QUOTA_EXHAUSTED",
  "MODEL_TIMEOUT",
  "MODEL_STALLED",
  "MODEL_STREAM_BROKEN",
  "MODEL_PROVIDER_NOT_CONFIGURED",
  "OUTBOUND_UNREACHABLE",
  "OUTBOUND_TIMEOUT",
]);

export function mayFallBack(error: unknown): error is OvenError {
  return isOvenError(error) && PASSED_ON.has(error.code);
}

export function toFallback(model: string, { code, message }: OvenError): ModelFallback {
  return { model, code, message };
}

async function named(
  providers: ProviderDirectory,
  tenantId: number,
  name: string,
  alias: string | null,
): Promise<Candidate> {
  const colon = name.indexOf(":");
  const providerId = name.slice(0, colon);
  const modelId = name.slice(colon + 1);
  if (modelId === "")
    throw new OvenError("MODEL_UNKNOWN", `There is no model \`${name}\``, {
      status: 422,
      fix: "A model is `providerId:modelId`",
    });
  const provider = await providers.configured(tenantId, providerId);
  // The simulated provider knows all its models; asking it here refuses a misspelt one before any call.
  if (provider.simulated) (modelId === "image" ? provider.imageModel : provider.languageModel)?.(modelId);
  return { resolved: { providerId, modelId, simulated: provider.simulated, alias }, provider };
}

async function automatic(providers: ProviderDirectory, tenantId: number, alias: string): Promise<Candidate> {
  const all = await providers.all(tenantId);
  if (alias === EMBED_ALIAS) return named(providers, tenantId, await automaticEmbedding(all), alias);
  if (alias === IMAGE_ALIAS) return named(providers, tenantId, await automaticImage(all), alias);
  const provider = all.find((one) => one.configured && !one.simulated && one.languageModel !== undefined);
  if (provider === undefined) return simulated(providers, tenantId, all, alias);
  const listed = await provider.listModels();
  // Only what the provider lists, so no name is used that it lacks.
  const preferred = preferredModels(isSmart(alias) ? "smart" : "fast");
  const modelId = preferred.find((id) => listed.includes(id)) ?? listed[0];
  if (modelId !== undefined)
    return { resolved: { providerId: provider.id, modelId, simulated: false, alias }, provider };
  throw new OvenError("MODEL_UNKNOWN", `The provider ${provider.id} lists no model for the alias \`${alias}\``, {
    status: 422,
    fix: `Set the alias to \`${provider.id}:<model>\``,
  });
}

/** Without any provider: the script that has the name of the alias, else the one that repeats what is said. */
async function simulated(
  providers: ProviderDirectory,
  tenantId: number,
  all: readonly Provider[],
  alias: string,
): Promise<Candidate> {
  const scripts = (await all.find((one) => one.simulated)?.listModels()) ?? [];
  return named(providers, tenantId, `simulated:${scripts.includes(alias) ? alias : ECHO_MODEL}`, alias);
}
