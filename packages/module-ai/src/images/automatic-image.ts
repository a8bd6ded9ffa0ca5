import { findProvider, preferredModels } from "../providers/all-providers.ts";
import type { Provider } from "../providers/model-provider.ts";

/** How servers of open models name those that make images. */
const LOOKS_LIKE_IMAGE = /image|diffusion|sdxl|flux|dall-e/i;

/**
 * What the alias `image` stands for when it is `auto`: the first configured provider that makes images, else a labelled
 * simulated picture. A chat-only server lists no such model, so it does not stand in the way.
 */
export async function automaticImage(providers: readonly Provider[]): Promise<string> {
  for (const provider of providers) {
    if (!provider.configured || provider.simulated || provider.imageModel === undefined) continue;
    const own = findProvider(provider.kind)?.unlistedImageModel;
    if (own !== undefined) return `${provider.id}:${own}`;
    const listed = await provider.listModels();
    const modelId =
      preferredModels("image").find((id) => listed.includes(id)) ?? listed.find((id) => LOOKS_LIKE_IMAGE.test(id));
    if (modelId !== undefined) return `${provider.id}:${modelId}`;
  }
  return "simulated:image";
}
