import type { ModelAnswer } from "@oven/contract/ai";
import type { ModelCaller } from "../usage/record-usage.ts";

/** What a video shall show, and how. What a model cannot do with a setting is refused by its provider, or said as a warning. */
export interface VideoRequest {
  /** `providerId:modelId`, or an alias for one. */
  model: string;
  prompt: string;
  /** Seconds. Default 8: what it costs is known before it is made. */
  seconds?: number;
  /** `16:9`. */
  aspectRatio?: `${number}:${number}`;
  /** `1280x720`, in pixels. */
  resolution?: `${number}x${number}`;
  seed?: number;
  /** Bounds the whole making, in milliseconds. Default 900,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Ids of budgets that somebody has released for this call. */
  releasedBudgets?: readonly number[];
  caller: ModelCaller;
}

export interface VideoAnswer extends Pick<ModelAnswer, "model" | "costMicros" | "warnings" | "fallbacks" | "source"> {
  video: { bytes: Uint8Array; mediaType: string };
}
