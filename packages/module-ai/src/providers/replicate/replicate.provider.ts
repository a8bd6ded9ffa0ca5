import type { ProviderDefinition } from "../define-provider.ts";
import { replicateApi } from "./replicate.api.ts";

export const replicateProvider: ProviderDefinition = {
  kind: "replicate",
  title: "Replicate",
  help: "Open models for images and videos, run by Replicate.",
  baseUrl: "https://api.replicate.com/v1",
  unlistedImageModel: "stability-ai/sdxl",
  open: replicateApi,
};
