import type { TokenUsage } from "@oven/contract";
import type { ModelCaller } from "@oven/module-ai";
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

interface ImageRequest extends Omit<ImageOptions, "size" | "aspectRatio"> {
  size?: string | undefined;
  aspectRatio?: string | undefined;
  caller: ModelCaller;
  signal: AbortSignal;
}

interface ImageAnswer {
  images: { data: Uint8Array; mediaType: string }[];
  usage: TokenUsage;
  costMicros: number;
  model: string;
  warnings: string[];
}

/** What of the models' service makes images; an installation may have none. */
export interface ImageService {
  generateImage?(request: ImageRequest): Promise<ImageAnswer>;
}
