import type { ProviderDefinition } from "../define-provider.ts";
import { blackForestLabsApi } from "./black-forest-labs.api.ts";

export const blackForestLabsProvider: ProviderDefinition = {
  kind: "black-forest-labs",
  title: "Black Forest Labs (Flux)",
  help: "Images and videos of Flux, from its makers.",
  baseUrl: "https://api.bfl.ai/v1",
  unlistedImageModel: "flux-pro-1.1",
  imagePrices: {
    "flux-pro-1.1": 0.04,
    "flux-pro-1.1-ultra": 0.06,
    "flux-kontext-pro": 0.04,
    "flux-kontext-max": 0.08,
  },
  open: blackForestLabsApi,
};
