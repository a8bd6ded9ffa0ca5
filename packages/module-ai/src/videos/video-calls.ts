import { OvenError, type ResolvedModel } from "@oven/contract";
import type { Database } from "@oven/db";
import { experimental_generateVideo as generateVideo } from "ai";
import { resolveChain } from "../aliases/resolve-model.ts";
import type { Guardrails } from "../guardrails/guardrails.ts";
import { askChain, type Turn } from "../model/ask-chain.ts";
import { callBounded } from "../model/call-bounded.ts";
import { toWarnings } from "../model/to-answer.ts";
import type { ProviderDirectory } from "../providers/provider-directory.ts";
import type { Meter } from "../usage/meter.ts";
import type { VideoAnswer, VideoRequest } from "./video-request.ts";

const DEFAULT_SECONDS = 8;
const MAX_SECONDS = 60;
const DEFAULT_TIMEOUT_MS = 900_000;
const NO_TOKENS = { input: 0, output: 0, total: 0 };

interface VideoCallsParts {
  db: Database;
  providers: ProviderDirectory;
  meter: Meter;
  guardrails: Guardrails;
  /** How often a provider is asked whether it is done, in milliseconds. */
  pollMs?: number;
}

/** Videos, with all that is around calls for text but cache and recordings. */
export class VideoCalls {
  readonly #parts: VideoCallsParts;

  constructor(parts: VideoCallsParts) {
    this.#parts = parts;
  }

  /** @throws OvenError INVALID_REQUEST, GUARDRAIL_BLOCKED, MODEL_UNKNOWN, and what resolving and calling throw */
  async generate(given: VideoRequest): Promise<VideoAnswer> {
    const { db, providers, guardrails } = this.#parts;
    checkRequest(given);
    const guards = await guardrails.of(given.caller.tenantId);
    const guarded = await guards.input({
      model: given.model,
      messages: [{ role: "user", content: given.prompt }],
      caller: given.caller,
      ...(given.signal === undefined ? {} : { signal: given.signal }),
      ...(given.releasedBudgets === undefined ? {} : { releasedBudgets: given.releasedBudgets }),
    });
    const [message] = guarded.request.messages;
    const request = { ...given, prompt: typeof message?.content === "string" ? message.content : given.prompt };
    const chain = await resolveChain(db, providers, request.model, request.caller.tenantId);
    const { value, fallbacks } = await askChain({ chain, ask: (turn: Turn) => this.#askOne(turn, request) });
    return { ...value, ...fallbacks, warnings: [...guarded.warnings, ...value.warnings] };
  }

  async #askOne(turn: Turn, request: VideoRequest): Promise<VideoAnswer> {
    const { resolved, provider } = turn.candidate;
    const { prompt, seconds = DEFAULT_SECONDS, caller, signal, releasedBudgets = [] } = request;
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    const model = provider.videoModel?.(resolved.modelId);
    if (model === undefined) throw noVideos(resolved);
    const { pollMs } = this.#parts;
    const { value, costMicros } = await this.#parts.meter.run(
      {
        ...{ model: resolved, provider, caller, operation: "video", timeoutMs, releasedBudgets, signal },
        fallbackFrom: turn.fallbackFrom,
        expected: { input: Math.ceil(prompt.length / 4), output: 0 },
        most: () => ({ input: Buffer.byteLength(prompt), output: 0 }),
        made: { videoSeconds: seconds },
        mayWait: turn.last,
      },
      async (progress) => {
        const answer = await callBounded(
          (abortSignal) =>
            generateVideo({
              model,
              prompt,
              duration: seconds,
              maxRetries: 0,
              abortSignal,
              poll: { timeoutMs, ...(pollMs === undefined ? {} : { intervalMs: pollMs }) },
              ...(provider.download === undefined ? {} : { download: provider.download }),
              ...(request.aspectRatio === undefined ? {} : { aspectRatio: request.aspectRatio }),
              ...(request.resolution === undefined ? {} : { resolution: request.resolution }),
              ...(request.seed === undefined ? {} : { seed: request.seed }),
            }),
          { resolved, keyHint: provider.keyHint, timeoutMs, signal, progress },
        );
        const { uint8Array: bytes, mediaType } = answer.video;
        const video = { bytes, mediaType };
        return {
          value: { video, warnings: toWarnings(answer.warnings) },
          usage: NO_TOKENS,
          made: { videoSeconds: seconds },
        };
      },
    );
    return { ...value, costMicros, model: resolved };
  }
}

function checkRequest({ prompt, seconds = DEFAULT_SECONDS, aspectRatio, resolution }: VideoRequest): void {
  const refuse = (message: string, fix: string) => new OvenError("INVALID_REQUEST", message, { status: 422, fix });
  if (prompt.trim() === "") throw refuse("A video needs a prompt", "Say what it shall show");
  if (!Number.isFinite(seconds) || seconds <= 0 || seconds > MAX_SECONDS)
    throw refuse(`A video of ${seconds} seconds cannot be asked for`, `Ask for up to ${MAX_SECONDS}`);
  if (aspectRatio !== undefined && !/^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(aspectRatio))
    throw refuse(`${JSON.stringify(aspectRatio)} is not an aspect ratio`, "Write it as 16:9");
  if (resolution !== undefined && !/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(resolution))
    throw refuse(`${JSON.stringify(resolution)} is not a resolution`, "Write it as 1280x720");
}

function noVideos({ providerId, modelId }: ResolvedModel): OvenError {
  return new OvenError("MODEL_UNKNOWN", `The provider ${providerId} makes no videos, so it has no \`${modelId}\``, {
    status: 422,
    fix: "Take a model of Google, Replicate or Black Forest Labs that makes videos",
  });
}
