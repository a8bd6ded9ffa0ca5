import { OvenError } from "@oven/contract";
import type { ResolvedModel } from "@oven/contract/ai";
import { generateImage } from "ai";
import type { Medium } from "../media/media-calls.ts";
import { fromStored, type StoredMedia, toStored } from "../media/stored-media.ts";
import { DEFAULT_TIMEOUT_MS } from "../model/call-model.ts";
import { toWarnings } from "../model/to-answer.ts";
import type { ImageAnswer, ImageRequest } from "./image-request.ts";

const MAX_COUNT = 10;
/** More than any model that charges by the token needs for an image: the largest of gpt-image-1 takes 6,240. */
const IMAGE_TOKENS = 8_192;

export const imageMedium: Medium<ImageRequest, ImageAnswer["images"]> = {
  operation: "image",
  timeoutMs: DEFAULT_TIMEOUT_MS,
  check({ prompt, count = 1, size, aspectRatio }) {
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
  },
  settings: ({ size, aspectRatio, style, quality, count = 1, seed }) => ({
    ...{ size, aspectRatio, style, quality, count, seed },
  }),
  bounds: ({ count = 1 }) => ({ made: { images: count }, tokens: count * IMAGE_TOKENS }),
  prepare(request, { resolved, provider }) {
    const model = provider.imageModel?.(resolved.modelId);
    if (model === undefined) throw noImages(resolved);
    const providerOptions = provider.imageOptions?.(request) ?? {};
    const { prompt, count = 1, size, aspectRatio, seed } = request;
    return async (abortSignal) => {
      const made = await generateImage({
        ...{ model, prompt, n: count, maxRetries: 0, abortSignal, providerOptions },
        ...(size === undefined ? {} : { size }),
        ...(aspectRatio === undefined ? {} : { aspectRatio }),
        ...(seed === undefined ? {} : { seed }),
      });
      const { inputTokens = 0, outputTokens = 0 } = made.usage;
      return {
        content: made.images.map(({ uint8Array: bytes, mediaType }) => ({ bytes, mediaType })),
        usage: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
        made: { images: made.images.length },
        warnings: toWarnings(made.warnings),
      };
    };
  },
  toJson: (images) => images.map(toStored),
  fromJson: (kept) => (kept as unknown as StoredMedia[]).map(fromStored), // cast: as `toJson` wrote it
};

function noImages({ providerId, modelId }: ResolvedModel): OvenError {
  return new OvenError("MODEL_UNKNOWN", `The provider ${providerId} makes no images, so it has no \`${modelId}\``, {
    status: 422,
    fix: "Take a model that makes images, such as `openai:gpt-image-1`, or `simulated:image`",
  });
}
