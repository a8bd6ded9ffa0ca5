import type { Json, JsonObject } from "@oven/contract";
import type { Scope } from "@oven/engine";
import { APICallError } from "ai";
import { createWireNames, type WireNames } from "../messages/wire-names.ts";
import type { LanguageModelV4 } from "../providers/model-provider.ts";
import type { CompiledReply, CompiledScript } from "./compile-script.ts";
import { readConversation } from "./conversation.ts";
import { sampleValue } from "./sample-value.ts";

type CallOptions = Parameters<LanguageModelV4["doGenerate"]>[0];
type GenerateResult = Awaited<ReturnType<LanguageModelV4["doGenerate"]>>;
type StreamPart =
  Awaited<ReturnType<LanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type Content = GenerateResult["content"];

export const SIMULATED_PROVIDER = "simulated";
const LABEL = "[simulated]";

/** A model that follows a script; without a script it repeats what it was told. Deterministic, and labelled as what it is. */
export function createSimulatedModel(modelId: string, script: CompiledScript | undefined): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: SIMULATED_PROVIDER,
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      return toReply(options, modelId, script).result;
    },
    async doStream(options) {
      const { result, chunkMs } = toReply(options, modelId, script);
      return { stream: toStream(result, chunkMs, options.abortSignal) };
    },
  };
}

function toReply(
  options: CallOptions,
  modelId: string,
  script: CompiledScript | undefined,
): { result: GenerateResult; chunkMs: number } {
  const names = createWireNames(toolIdsOf(options));
  const conversation = readConversation(options.prompt, names.toId);
  const { reply, scope } = script?.choose(conversation) ?? { reply: undefined, scope: {} };
  if (reply?.fail !== undefined) throw toApiError(reply.fail, modelId);
  const content =
    reply === undefined ? echo(options, conversation.last.text) : toContent(reply, scope, names, conversation.position);
  const calls = content.some((part) => part.type === "tool-call");
  const usage = reply?.usage ?? { input: estimate(options.prompt), output: estimate(content) };
  return {
    chunkMs: reply?.chunkMs ?? 0,
    result: {
      content,
      finishReason: { unified: calls ? "tool-calls" : "stop", raw: undefined },
      usage: {
        inputTokens: { total: usage.input, noCache: usage.input, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: usage.output, text: usage.output, reasoning: undefined },
      },
      warnings: [],
    },
  };
}

/** Ids are handed over beside the wire names, so that scripts name tools by id whatever the wire called them. */
function toolIdsOf(options: CallOptions): string[] {
  const ids = options.providerOptions?.[SIMULATED_PROVIDER]?.toolIds;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

function toContent(reply: CompiledReply, values: JsonObject, names: WireNames, position: number): Content {
  const scope: Scope = { context: { values, writers: new Map() }, trigger: null, execution: {} };
  const value = reply.object === undefined ? reply.text?.resolve(scope) : reply.object.resolve(scope);
  const text = typeof value === "string" && reply.object === undefined ? value : JSON.stringify(value);
  return [
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...reply.toolCalls.map((call, index) => ({
      type: "tool-call" as const,
      toolCallId: `call_${position}_${index + 1}`,
      toolName: names.toWire(call.tool),
      input: JSON.stringify(call.arguments.resolve(scope)),
    })),
  ];
}

function echo(options: CallOptions, last: string): Content {
  const text = `${LABEL} ${last}`.trimEnd();
  if (options.responseFormat?.type !== "json") return [{ type: "text", text }];
  // cast: a JSON Schema document is JSON
  return [{ type: "text", text: JSON.stringify(sampleValue(options.responseFormat.schema as Json | undefined, text)) }];
}

/** About four characters a token. */
function estimate(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}

function toApiError(fail: { status: number; retryAfter?: number | undefined }, modelId: string): APICallError {
  return new APICallError({
    message: `${LABEL} scripted failure ${fail.status}`,
    url: `${SIMULATED_PROVIDER}:${modelId}`,
    requestBodyValues: {},
    statusCode: fail.status,
    ...(fail.retryAfter === undefined ? {} : { responseHeaders: { "retry-after": String(fail.retryAfter) } }),
  });
}

function toStream(
  result: GenerateResult,
  chunkMs: number,
  signal: AbortSignal | undefined,
): ReadableStream<StreamPart> {
  const parts = toParts(result);
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      const next = parts.next();
      if (next.done) return controller.close();
      if (next.value.type === "text-delta" && chunkMs > 0) await pause(chunkMs, signal);
      if (signal?.aborted) return controller.error(signal.reason);
      controller.enqueue(next.value);
    },
  });
}

function* toParts({ content, finishReason, usage }: GenerateResult): Generator<StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const [index, part] of content.entries()) {
    if (part.type === "text") {
      const id = `text_${index}`;
      yield { type: "text-start", id };
      for (const delta of part.text.match(/\S+\s*|\s+/g) ?? []) yield { type: "text-delta", id, delta };
      yield { type: "text-end", id };
    }
    if (part.type === "tool-call") yield part;
  }
  yield { type: "finish", finishReason, usage };
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
  });
}
