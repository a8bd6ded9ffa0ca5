import { OvenError } from "@oven/contract";
import type { ModelAnswer, ResolvedModel } from "@oven/contract/ai";
import { startDeadline } from "@oven/module-registry";
import { generateText, streamText } from "ai";
import type { LanguageModelV4, Provider } from "../providers/model-provider.ts";
import { AnswerTexts } from "./answer-texts.ts";
import { toCallOptions } from "./call-options.ts";
import { toModelError } from "./model-errors.ts";
import type { ModelRequest, TextSink } from "./model-request.ts";
import { readAnswer } from "./read-answer.ts";
import { toContent, toFinishReason, toTokenUsage, toWarnings } from "./to-answer.ts";

// Warnings are part of the answer and reach the run's log; the SDK would print them to the console as well.
globalThis.AI_SDK_LOG_WARNINGS = false;

export const DEFAULT_TIMEOUT_MS = 300_000;
// Models that think long without showing it send nothing meanwhile.
const DEFAULT_IDLE_TIMEOUT_MS = 120_000;

/** What became of a call that failed, for an estimate of what it cost. */
export interface CallProgress {
  /** The request may have reached the provider. */
  sent: boolean;
  /** Some of the answer has arrived. */
  streaming: boolean;
  /** Length of what arrived. */
  characters: number;
}

interface ModelCall {
  request: ModelRequest;
  resolved: ResolvedModel;
  provider: Provider;
  model: LanguageModelV4;
  /** Given: the answer is streamed. */
  sink?: TextSink;
  progress?: CallProgress;
}

/** What one call answered; what it cost is for whoever knows the price. */
export type CallAnswer = Omit<ModelAnswer, "costMicros">;

/**
 * One call of one model, to its end.
 * @throws OvenError MODEL_RATE_LIMITED, MODEL_QUOTA_EXHAUSTED, MODEL_UNAVAILABLE, MODEL_REFUSED_REQUEST,
 * MODEL_BAD_RESPONSE, MODEL_STREAM_BROKEN, MODEL_STALLED, MODEL_TIMEOUT, MODEL_ABORTED
 */
export async function callModel(call: ModelCall): Promise<CallAnswer> {
  const { request, resolved, provider, model, sink } = call;
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = startDeadline(timeoutMs);
  const idleTimeoutMs = request.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS;
  const idle = new AbortController();
  const signal = AbortSignal.any([
    ...(request.signal === undefined ? [] : [request.signal]),
    deadline.signal,
    idle.signal,
  ]);
  const progress = call.progress ?? { sent: false, streaming: false, characters: 0 };
  const watch = createIdleWatch(idleTimeoutMs, () => idle.abort());
  try {
    signal.throwIfAborted();
    progress.sent = true;
    const { options, names } = await toCallOptions(request, model, provider, signal);
    const result =
      sink === undefined
        ? await generateText(options)
        : await consume(streamText({ ...options, onError: keepForStream }), sink, progress, watch);
    const { finalStep } = result;
    if (finalStep.finishReason === "error" || String(finalStep.finishReason) === "interrupted") {
      progress.streaming = true;
      throw new Error("the provider ended it without a reason to stop");
    }
    const usage = toTokenUsage(finalStep.usage);
    const { notes: argumentNotes, ...content } = toContent(finalStep.content, names);
    const { value: object, note } =
      request.outputSchema === undefined || content.toolCalls.length > 0
        ? {}
        : readAnswer(content.text, request.outputSchema);
    const notes = note === undefined ? argumentNotes : [...argumentNotes, note];
    return {
      ...content,
      finishReason: toFinishReason(finalStep.finishReason),
      ...(object === undefined ? {} : { object }),
      ...(notes.length === 0 ? {} : { notes }),
      usage,
      model: resolved,
      warnings: toWarnings(finalStep.warnings),
    };
  } catch (error) {
    const aborted = request.signal?.aborted === true;
    throw toModelError(aborted ? (request.signal?.reason ?? error) : error, {
      model: resolved,
      streaming: progress.streaming,
      aborted,
      timedOutAfterMs: deadline.signal.aborted ? timeoutMs : null,
      silentForMs: idle.signal.aborted ? idleTimeoutMs : null,
      keyHint: provider.keyHint,
    });
  } finally {
    watch.stop();
    deadline.clear();
  }
}

interface IdleWatch {
  /** Something arrived. */
  heard(): void;
  stop(): void;
}

/** Watches from the first thing heard on: until then the time-out of the call counts. */
function createIdleWatch(milliseconds: number, onSilence: () => void): IdleWatch {
  let timer: NodeJS.Timeout | undefined;
  return {
    heard() {
      if (timer === undefined) timer = setTimeout(onSilence, milliseconds);
      else timer.refresh();
    },
    stop: () => clearTimeout(timer),
  };
}

/** The error reaches `consume` as a part of the stream; without this the SDK prints it as well. */
function keepForStream(): void {}

async function consume(
  result: ReturnType<typeof streamText>,
  sink: TextSink,
  progress: CallProgress,
  watch: IdleWatch,
): Promise<{ finalStep: Awaited<ReturnType<typeof streamText>["finalStep"]> }> {
  const texts = new AnswerTexts(sink);
  for await (const part of result.stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw new OvenError("MODEL_ABORTED", "The call was stopped", { status: 499 });
    if (part.type !== "start" && part.type !== "start-step") {
      progress.streaming = true;
      watch.heard();
    }
    if (part.type === "text-delta" || part.type === "reasoning-delta") progress.characters += part.text.length;
    if (part.type === "tool-input-delta") progress.characters += part.delta.length;
    if (part.type === "text-delta") texts.push(part.id, part.text);
  }
  texts.end();
  return { finalStep: await result.finalStep };
}
