import { OvenError, type ResolvedModel } from "@oven/contract";
import type { Database } from "@oven/db";
import { generateImage } from "ai";
import { resolveChain } from "../aliases/resolve-model.ts";
import type { Guardrails } from "../guardrails/guardrails.ts";
import { askChain, type Turn } from "../model/ask-chain.ts";
import { callBounded } from "../model/call-bounded.ts";
import { DEFAULT_TIMEOUT_MS } from "../model/call-model.ts";
import { toWarnings } from "../model/to-answer.ts";
import type { ProviderDirectory } from "../providers/provider-directory.ts";
import type { Meter } from "../usage/meter.ts";
import type { ImageAnswer, ImageRequest } from "./image-request.ts";

const MAX_COUNT = 10;
/** More than any model that charges by the token needs for an image: the largest of gpt-image-1 takes 6,240. */
const IMAGE_TOKENS = 8_192;

interface ImageCallsParts {
  db: Database;
  providers: ProviderDirectory;
  meter: Meter;
  guardrails: Guardrails;
}

/** Images, with all that is around calls for text but cache and recordings. */
export class ImageCalls {
  readonly #parts: ImageCallsParts;

  constructor(parts: ImageCallsParts) {
    this.#parts = parts;
  }

  /** @throws OvenError IMAGE_OPTION_UNSUPPORTED, GUARDRAIL_BLOCKED, and what resolving and calling throw */
  async generate(given: ImageRequest): Promise<ImageAnswer> {
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
    const ask = (turn: Turn) => this.#askOne(turn, request);
    const { value, fallbacks } = await askChain({ chain, ask });
    return { ...value, ...fallbacks, warnings: [...guarded.warnings, ...value.warnings] };
  }

  async #askOne(turn: Turn, request: ImageRequest): Promise<ImageAnswer> {
    const { resolved, provider } = turn.candidate;
    const { caller, count = 1, signal, timeoutMs = DEFAULT_TIMEOUT_MS, releasedBudgets = [] } = request;
    const model = provider.imageModel?.(resolved.modelId);
    if (model === undefined) throw noImages(resolved);
    const providerOptions = provider.imageOptions?.(request) ?? {};
    const { value, costMicros } = await this.#parts.meter.run(
      {
        ...{ model: resolved, provider, caller, operation: "image", timeoutMs, releasedBudgets, signal },
        fallbackFrom: turn.fallbackFrom,
        expected: { input: Math.ceil(request.prompt.length / 4), output: 0 },
        most: () => ({ input: Buffer.byteLength(request.prompt), output: count * IMAGE_TOKENS }),
        made: { images: count },
        mayWait: turn.last,
      },
      async (progress) => {
        const made = await callBounded(
          (abortSignal) =>
            generateImage({
              model,
              prompt: request.prompt,
              n: count,
              maxRetries: 0,
              abortSignal,
              providerOptions,
              ...(request.size === undefined ? {} : { size: request.size }),
              ...(request.aspectRatio === undefined ? {} : { aspectRatio: request.aspectRatio }),
              ...(request.seed === undefined ? {} : { seed: request.seed }),
            }),
          { resolved, keyHint: provider.keyHint, timeoutMs, signal, progress },
        );
        const { inputTokens = 0, outputTokens = 0 } = made.usage;
        const usage = { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens };
        const images = made.images.map(({ uint8Array, mediaType }) => ({ bytes: uint8Array, mediaType }));
        return {
          value: { images, usage, warnings: toWarnings(made.warnings) },
          usage,
          made: { images: images.length },
        };
      },
    );
    return { ...value, costMicros, model: resolved };
  }
}

function checkRequest({ prompt, count = 1, size, aspectRatio }: ImageRequest): void {
  const refuse = (message: string, fix: string) => new OvenError("INVALID_REQUEST", message, { status: 422, fix });
  if (prompt.trim() === "") throw refuse("An image needs a prompt", "Say what it shall show");
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT)
    throw refuse(`${count} images cannot be asked for at once`, `Ask for 1 to ${MAX_COUNT}`);
  if (size !== undefined && !/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(size))
    throw refuse(`${JSON.stringify(size)} is not a size`, "Write it as 1024x1024");
  if (aspectRatio !== undefined && !/^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(aspectRatio))
    throw refuse(`${JSON.stringify(aspectRatio)} is not an aspect ratio`, "Write it as 16:9");
  if (size !== undefined && aspectRatio !== undefined)
    throw refuse("Size and aspect ratio cannot both be given", "Give one of them");
}

function noImages({ providerId, modelId }: ResolvedModel): OvenError {
  return new OvenError("MODEL_UNKNOWN", `The provider ${providerId} makes no images, so it has no \`${modelId}\``, {
    status: 422,
    fix: "Take a model that makes images, such as `openai:gpt-image-1`, or `simulated:image`",
  });
}
