import { OvenError } from "@oven/contract";
import type { ImageRequest } from "@oven/module-ai";
import { z } from "zod";

export const ImageOptionsSchema = z.strictObject({
  prompt: z.string().min(1).max(32_000),
  model: z.string().min(1).default("image").describe("Alias (`image`) or `providerId:modelId`"),
  size: z
    .string()
    .regex(/^\d{2,5}x\d{2,5}$/)
    .optional()
    .describe("`1024x1024`"),
  aspectRatio: z
    .string()
    .regex(/^\d{1,3}:\d{1,3}$/)
    .optional()
    .describe("`16:9`, for models that take no size"),
  style: z.string().min(1).optional(),
  quality: z.string().min(1).optional(),
  count: z.int().min(1).max(10).default(1),
  seed: z.int().optional(),
});
export type ImageOptions = z.output<typeof ImageOptionsSchema>;

/** As the models' service takes it. */
export function toImageRequest({
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

export function noImage(): OvenError {
  return new OvenError("MODEL_BAD_RESPONSE", "The model answered without an image", { status: 502, retryable: true });
}
