import type { JsonObject, Message } from "@oven/contract";
import type { ModelCaller } from "../usage/record-usage.ts";

/** A tool as the model is told about it. */
export interface ModelTool {
  id: string;
  description: string;
  /** JSON Schema of the arguments, an object. */
  inputSchema: JsonObject;
}

/** One model call: one request, one answer, no retries. The caller decides what to do with tool calls. */
export interface ModelRequest {
  /** An alias or `providerId:modelId`. */
  model: string;
  system?: string;
  messages: readonly Message[];
  tools?: readonly ModelTool[];
  toolChoice?: "auto" | "none" | "required" | { tool: string };
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  seed?: number;
  /** Asks for JSON of this schema; `object` of the answer is not checked against it. */
  outputSchema?: JsonObject;
  /** Bounds the whole call, in milliseconds. Default 300,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Sent as `Idempotency-Key`. */
  idempotencyKey?: string;
  caller: ModelCaller;
}

/** Called for each piece of text as it arrives; `partId` tells apart the text parts of one answer. */
export type OnText = (partId: string, text: string) => void;
