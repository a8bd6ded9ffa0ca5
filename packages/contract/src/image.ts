import { z } from "zod";
import { ModelAnswerSchema } from "./ai.ts";
import { BlobReferenceSchema } from "./blob.ts";

/** What an image shall show, and how: of `POST /api/ai/images`, the tool `ai.generateImage` and the node `agent.imageGen`. */
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
export type ImageOptions = z.infer<typeof ImageOptionsSchema>;

/** The answer of `POST /api/ai/images`. */
export const ImagesAnswerSchema = ModelAnswerSchema.pick({
  usage: true,
  costMicros: true,
  model: true,
  warnings: true,
  fallbacks: true,
  source: true,
}).extend({ images: z.array(BlobReferenceSchema).min(1) });
export type ImagesAnswer = z.infer<typeof ImagesAnswerSchema>;
