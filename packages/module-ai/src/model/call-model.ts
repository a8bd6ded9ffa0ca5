import { type ModelAnswer, OvenError, type ResolvedModel } from "@oven/contract";
import { generateText, streamText } from "ai";
import type { LanguageModelV4, Provider } from "../providers/model-provider.ts";
import { toCostMicros } from "../usage/prices.ts";
import { toCallOptions } from "./call-options.ts";
import { toModelError } from "./model-errors.ts";
import type { ModelRequest, OnText } from "./model-request.ts";
import { parseObject, toContent, toFinishReason, toTokenUsage, toWarnings } from "./to-answer.ts";

// Warnings are part of the answer and reach the run's log; the SDK would print them to the console as well.
globalThis.AI_SDK_LOG_WARNINGS = false;

const DEFAULT_TIMEOUT_MS = 300_000;

interface ModelCall {
  request: ModelRequest;
  resolved: ResolvedModel;
  provider: Provider;
  model: LanguageModelV4;
  /** Given: the answer is streamed. */
  onText?: OnText;
}

/**
 * One call of one model, to its end.
 * @throws OvenError MODEL_RATE_LIMITED, MODEL_QUOTA_EXHAUSTED, MODEL_UNAVAILABLE, MODEL_REFUSED_REQUEST,
 * MODEL_BAD_RESPONSE, MODEL_STREAM_BROKEN, MODEL_TIMEOUT, MODEL_ABORTED
 */
export async function callModel({ request, resolved, provider, model, onText }: ModelCall): Promise<ModelAnswer> {
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  const progress = { streaming: false };
  try {
    signal.throwIfAborted();
    const { options, names } = toCallOptions(request, model, provider, signal);
    const result =
      onText === undefined
        ? await generateText(options)
        : await consume(streamText({ ...options, onError: keepForStream }), onText, progress);
    const { finalStep } = result;
    if (finalStep.finishReason === "error" || String(finalStep.finishReason) === "interrupted") {
      progress.streaming = true;
      throw new Error("the provider ended it without a reason to stop");
    }
    const usage = toTokenUsage(finalStep.usage);
    const content = toContent(finalStep.content, names);
    const object =
      request.outputSchema === undefined || content.toolCalls.length > 0 ? undefined : parseObject(content.text);
    return {
      ...content,
      finishReason: toFinishReason(finalStep.finishReason),
      ...(object === undefined ? {} : { object }),
      usage,
      costMicros: toCostMicros(usage, provider.price(resolved.modelId)),
      model: resolved,
      warnings: toWarnings(finalStep.warnings),
    };
  } catch (error) {
    const aborted = request.signal?.aborted === true;
    throw toModelError(aborted ? (request.signal?.reason ?? error) : error, {
      model: resolved,
      streaming: progress.streaming,
      aborted,
      timedOutAfterMs: timeout.aborted ? timeoutMs : null,
    });
  }
}

/** The error reaches `consume` as a part of the stream; without this the SDK prints it as well. */
function keepForStream(): void {}

async function consume(
  result: ReturnType<typeof streamText>,
  onText: OnText,
  progress: { streaming: boolean },
): Promise<{ finalStep: Awaited<ReturnType<typeof streamText>["finalStep"]> }> {
  for await (const part of result.stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw new OvenError("MODEL_ABORTED", "The call was stopped", { status: 499 });
    if (part.type !== "start" && part.type !== "start-step") progress.streaming = true;
    if (part.type === "text-delta" && part.text !== "") onText(part.id, part.text);
  }
  return { finalStep: await result.finalStep };
}
