import { OvenError } from "@oven/contract";
import type { ImageOptions, ImagesAnswer } from "@oven/contract/ai";
import type { BlobReference } from "@oven/contract/run";
import type { ImageRequest } from "@oven/module-ai";
import type { ServiceMap } from "@oven/module-registry";
import type { BlobPosition } from "@oven/module-workflows";

type StoredImages = Omit<ImagesAnswer, "images"> & { images: [BlobReference, ...BlobReference[]] };

/**
 * Makes images and keeps them, for a run or for none: the answer has references to them.
 * @throws OvenError MODEL_BAD_RESPONSE when the model made none, and what asking the model throws
 */
export async function keepImages(
  { ai, blobs }: Pick<ServiceMap, "ai" | "blobs">,
  input: ImageOptions,
  position: BlobPosition,
  asked: Pick<ImageRequest, "caller" | "signal" | "releasedBudgets">,
): Promise<StoredImages> {
  const { images: made, ...answer } = await ai.generateImage({ ...toImageRequest(input), ...asked });
  const images: BlobReference[] = [];
  for (const { bytes, mediaType } of made)
    images.push(await blobs.write(position, mediaType, bytes, summaryOf(input.prompt)));
  const [first, ...more] = images;
  if (first !== undefined) return { ...answer, images: [first, ...more] };
  throw new OvenError("MODEL_BAD_RESPONSE", "The model answered without an image", { status: 502, retryable: true });
}

/** What references show instead of the picture or the film. */
export function summaryOf(prompt: string): string {
  return prompt.length > 120 ? `${prompt.slice(0, 119)}…` : prompt;
}

/** As the models' service takes it. */
function toImageRequest({
  size,
  aspectRatio,
  style,
  quality,
  seed,
  ...rest
}: ImageOptions): Omit<ImageRequest, "caller"> {
  return {
    ...rest,
    // cast: checked by the schema
    ...(size === undefined ? {} : { size: size as `${number}x${number}` }),
    ...(aspectRatio === undefined ? {} : { aspectRatio: aspectRatio as `${number}:${number}` }),
    ...(style === undefined ? {} : { style }),
    ...(quality === undefined ? {} : { quality }),
    ...(seed === undefined ? {} : { seed }),
  };
}
