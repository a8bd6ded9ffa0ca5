import type { ModelAnswer } from "@oven/contract/ai";
import type { TokenUsage } from "@oven/contract/node";
import type { ImageSettings } from "../providers/model-provider.ts";
import type { ModelCaller } from "../usage/record-usage.ts";

/** What an image shall show, and how. A setting that a provider does not take is refused before anything is paid. */
export interface ImageRequest extends ImageSettings {
  /** An alias or `providerId:modelId`. */
  model: string;
  prompt: string;
  /** 1 to 10; 1 by default. */
  count?: number;
  /** Bounds the call of each model, in milliseconds. Default 300,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Ids of budgets that somebody has released for this call. */
  releasedBudgets?: readonly number[];
  caller: ModelCaller;
}

export interface ImageAnswer extends Pick<ModelAnswer, "model" | "costMicros" | "warnings" | "fallbacks" | "source"> {
  images: { bytes: Uint8Array; mediaType: string }[];
  /** Zeros for providers that charge by the image. */
  usage: TokenUsage;
}
