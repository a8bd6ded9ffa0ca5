import type { JsonObject } from "@oven/contract";
import type { EmbeddingModel, LanguageModel } from "ai";
import type { Price } from "../usage/prices.ts";

/** The AI SDK's model interface that this release of it calls. */
export type LanguageModelV4 = Extract<LanguageModel, { specificationVersion: "v4" }>;
export type EmbeddingModelV4 = Extract<EmbeddingModel, { specificationVersion: "v4" }>;

/** Where models come from. */
export interface Provider {
  /** First part of `providerId:modelId`. */
  id: string;
  title: string;
  configured: boolean;
  simulated: boolean;
  /** Throws `MODEL_UNKNOWN` when the provider can tell that it has no such model. */
  languageModel(modelId: string): LanguageModelV4;
  /** Absent: it has no embeddings. */
  embeddingModel?(modelId: string): EmbeddingModelV4;
  /** It has no language models, so `auto` never takes it for one. */
  embedsOnly?: boolean;
  /** Sent with every request of this provider, by the AI SDK's name for it. */
  requestOptions: Record<string, JsonObject>;
  /** Model ids as the provider lists them. */
  listModels(): Promise<string[]>;
  price(modelId: string): Price | undefined;
}
