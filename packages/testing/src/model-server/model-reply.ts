import type { Json, JsonObject } from "@oven/contract";

export interface ScriptedToolCall {
  id?: string;
  /** The wire name, without dots. */
  name: string;
  arguments?: Json;
  /** Sent as it stands instead of `arguments`: for arguments that are not JSON. */
  rawArguments?: string;
}

export interface ScriptedUsage {
  input: number;
  output: number;
  cached?: number;
  reasoning?: number;
}

interface Answer {
  text?: string;
  reasoning?: string;
  toolCalls?: ScriptedToolCall[];
  finishReason?: string;
  usage?: ScriptedUsage;
  /** After this many chunks of the stream wait for `gate`. */
  gate?: { after: number; opened: Promise<void> };
  /** Cut the connection after this many chunks of the stream (or before the answer, when it does not stream). */
  breakAfter?: number;
  /** End the stream properly but without a finish reason after this many chunks. */
  truncateAfter?: number;
  /** Send this many chunks, then nothing, until the client goes away. */
  stallAfter?: number;
}

/** What the server answers to one request. */
export type ModelReply =
  | Answer
  | { status: number; message?: string; code?: string; retryAfter?: number | string }
  | { rawBody: string };

export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: JsonObject;
  /** Becomes true when the client closed the connection before the answer was complete. */
  aborted: boolean;
}

/** Replies in order, or one computed per request. Running out of replies answers 500, so that a test goes red. */
export type ModelScript = ModelReply[] | ((request: RecordedRequest, index: number) => ModelReply);
