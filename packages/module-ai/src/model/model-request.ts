import type { JsonObject } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import type { BlobReference } from "@oven/contract/run";
import type { ModelCaller } from "../usage/record-usage.ts";

/** A tool as a model is shown it. */
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
  /** Which of `tools` are offered in this call: ids, or patterns such as `orders.*`. Absent: all of them. */
  activeTools?: readonly string[];
  toolChoice?: "auto" | "none" | "required" | { tool: string };
  temperature?: number;
  topP?: number;
  maxOutputTokens?: number;
  seed?: number;
  /** Asks for JSON of this schema; `object` of the answer is not checked against it. */
  outputSchema?: JsonObject;
  /** Bounds the call of each model, in milliseconds. Default 300,000. */
  timeoutMs?: number;
  /** How long a stream may be silent once it has begun, in milliseconds. Default 120,000. */
  idleTimeoutMs?: number;
  /** Given: the very same request to the same model is answered from what was answered before, for this long. */
  cacheTtlMs?: number;
  recording?: Recording;
  /** Ids of budgets that somebody has released for this call. */
  releasedBudgets?: readonly number[];
  /** Reads the files that `messages` refer to. Undefined: it is not there any more. Absent: none are sent. */
  readFile?(file: BlobReference): Promise<Uint8Array | undefined>;
  signal?: AbortSignal;
  /** Sent as `Idempotency-Key`. */
  idempotencyKey?: string;
  caller: ModelCaller;
}

/** Model traffic kept under a name. */
export interface Recording {
  name: string;
  /** `replay`: answered from the recording alone; a request that is not in it is an error. */
  mode: "record" | "replay";
  /** Tells apart the same request made twice, such as the node and the attempt. */
  callKey: string;
}

/** How text arrives. */
export interface TextSink {
  onText: OnText;
  /**
   * The text of these parts is void: its model broke off and another one answers, or it turned out to be reasoning. Without it no
   * other model is asked once text has been handed over.
   */
  onDiscarded?: (partIds: string[]) => void;
}

/** Called for each piece of text as it arrives; `partId` tells apart the text parts of one answer. */
export type OnText = (partId: string, text: string) => void;
