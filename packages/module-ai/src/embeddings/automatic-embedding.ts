import { preferredModels } from "../providers/all-providers.ts";
import type { Provider } from "../providers/model-provider.ts";
import { LOCAL_PROVIDER, USE_LITE } from "./local.provider.ts";

/** How servers of open models name those that give vectors. */
const LOOKS_LIKE_EMBEDDING = /embed|(^|[/-])(bge|gte|e5|minilm)-/i;

/**
 * What the alias `embed` stands for when it is `auto`: the first configured provider that lists an embedding model, else
 * the local one. A chat-only server lists none, so it does not stand in the way.
 */
export async function automaticEmbedding(providers: readonly Provider[]): Promise<string> {
  for (const provider of providers) {
    if (!provider.configured || provider.kind === "local" || provider.embeddingModel === undefined) continue;
    const listed = await provider.listModels();
    const modelId =
      preferredModels("embed").find((id) => listed.includes(id)) ?? listed.find((id) => LOOKS_LIKE_EMBEDDING.test(id));
    if (modelId !== undefined) return `${provider.id}:${modelId}`;
  }
  return `${LOCAL_PROVIDER}:${USE_LITE}`;
}
