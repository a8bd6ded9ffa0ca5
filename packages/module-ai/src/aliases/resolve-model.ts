import { type AliasSettings, OvenError, type ResolvedModel } from "@oven/contract";
import type { Database } from "@oven/db";
import { automaticEmbedding } from "../embeddings/automatic-embedding.ts";
import type { Provider } from "../providers/model-provider.ts";
import { ECHO_MODEL } from "../simulated/simulated.provider.ts";
import { AUTO, aliasNames, EMBED_ALIAS, findAlias, unknownModel } from "./aliases.ts";

/** Best first. `auto` takes the first one that the provider lists, so no name is used that the provider lacks. */
const PREFERRED: Record<string, string[]> = {
  fast: ["gpt-5.4-mini", "gpt-5-mini", "gpt-4.1-mini", "gpt-4o-mini"],
  smart: ["gpt-5.6", "gpt-5.4", "gpt-5.2", "gpt-5", "gpt-4.1", "gpt-4o"],
};

interface Resolution {
  resolved: ResolvedModel;
  settings: AliasSettings;
}

/**
 * What a name stands for now. A name that stands for nothing is an error: no other model is ever taken in its place.
 * @throws OvenError MODEL_UNKNOWN, MODEL_PROVIDER_NOT_CONFIGURED, MODEL_UNAVAILABLE
 */
export async function resolveModel(
  db: Database,
  providers: ReadonlyMap<string, Provider>,
  name: string,
  tenantId: number,
): Promise<Resolution> {
  if (name.includes(":")) return { resolved: named(providers, name, null), settings: {} };
  const alias = await findAlias(db, tenantId, name);
  if (alias === undefined) throw unknownModel(name, await aliasNames(db, tenantId));
  const resolved = alias.model === AUTO ? await automatic(providers, name) : named(providers, alias.model, name);
  return { resolved, settings: alias.settings };
}

function named(providers: ReadonlyMap<string, Provider>, name: string, alias: string | null): ResolvedModel {
  const colon = name.indexOf(":");
  const providerId = name.slice(0, colon);
  const modelId = name.slice(colon + 1);
  const provider = providers.get(providerId);
  if (provider === undefined || modelId === "") {
    throw new OvenError("MODEL_UNKNOWN", `There is no model \`${name}\``, {
      status: 422,
      fix: `A model is \`providerId:modelId\`; the providers are ${[...providers.keys()].join(", ")}`,
    });
  }
  if (!provider.configured) {
    throw new OvenError(
      "MODEL_PROVIDER_NOT_CONFIGURED",
      `The provider ${providerId} of \`${name}\` is not configured`,
      {
        status: 422,
        fix: "Set OPENAI_API_KEY or OPENAI_BASE_URL and start again",
      },
    );
  }
  // The simulated provider knows all its models; asking it here refuses a misspelt one before any call.
  if (provider.simulated) provider.languageModel(modelId);
  return { providerId, modelId, simulated: provider.simulated, alias };
}

async function automatic(providers: ReadonlyMap<string, Provider>, alias: string): Promise<ResolvedModel> {
  if (alias === EMBED_ALIAS) return { ...(await automaticEmbedding(providers)), simulated: false, alias };
  for (const provider of providers.values()) {
    if (!provider.configured || provider.simulated || provider.embedsOnly) continue;
    const listed = await provider.listModels();
    const modelId = (PREFERRED[alias] ?? PREFERRED.fast ?? []).find((id) => listed.includes(id)) ?? listed[0];
    if (modelId === undefined) {
      throw new OvenError("MODEL_UNKNOWN", `The provider ${provider.id} lists no model for the alias \`${alias}\``, {
        status: 422,
        fix: `Set the alias to \`${provider.id}:<model>\``,
      });
    }
    return { providerId: provider.id, modelId, simulated: false, alias };
  }
  return { providerId: "simulated", modelId: ECHO_MODEL, simulated: true, alias };
}
