import type { Provider } from "../providers/model-provider.ts";

/** Best first, of those that list their models. */
const PREFERRED = ["gpt-image-1", "dall-e-3", "gemini-2.5-flash-image"];
/** How servers of open models name those that make images. */
const LOOKS_LIKE_IMAGE = /image|diffusion|sdxl|flux|dall-e/i;
/** Vendors of images alone list nothing. */
const OF_VENDOR: Partial<Record<Provider["kind"], string>> = {
  "black-forest-labs": "flux-pro-1.1",
  replicate: "stability-ai/sdxl",
};

/**
 * What the alias `image` stands for when it is `auto`: the first configured provider that makes images, else a labelled
 * simulated picture. A chat-only server lists no such model, so it does not stand in the way.
 */
export async function automaticImage(providers: readonly Provider[]): Promise<string> {
  for (const provider of providers) {
    if (!provider.configured || provider.simulated || provider.imageModel === undefined) continue;
    const own = OF_VENDOR[provider.kind];
    if (own !== undefined) return `${provider.id}:${own}`;
    const listed = await provider.listModels();
    const modelId = PREFERRED.find((id) => listed.includes(id)) ?? listed.find((id) => LOOKS_LIKE_IMAGE.test(id));
    if (modelId !== undefined) return `${provider.id}:${modelId}`;
  }
  return "simulated:image";
}
