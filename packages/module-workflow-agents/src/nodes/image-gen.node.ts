import { BlobReferenceSchema, OvenError, type TokenUsage } from "@oven/contract";
import type { ModelCaller } from "@oven/module-ai";
import { defineNode, done, type NodeContext, type ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-workflows";
import { z } from "zod";

const ImageInput = z.strictObject({
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
type Input = z.output<typeof ImageInput>;

interface ImageRequest extends Omit<Input, "size" | "aspectRatio"> {
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
interface ImageService {
  generateImage?(request: ImageRequest): Promise<ImageAnswer>;
}

export const imageGenNode = defineNode({
  id: "agent.imageGen",
  version: 1,
  title: "Image",
  docs: [
    "Makes images from a prompt.",
    "",
    "The images are kept with the run; `images` holds references (`$blob`, `mediaType`, `bytes`), and `/api/blobs/{$blob}` shows one. What a model cannot do with an option is refused or said in the log.",
  ].join("\n"),
  category: "agent",
  kind: "model",
  effect: "at-least-once",
  input: ImageInput,
  output: z.strictObject({
    images: z.array(BlobReferenceSchema),
    image: BlobReferenceSchema.describe("The first one"),
    model: z.string(),
  }),
  async run(context) {
    const { input, services, principal, node, signal } = context;
    const { executionId, nodeId, visit, item } = node;
    const { tenantId, userId } = principal;
    const images = services.ai as ServiceMap["ai"] & ImageService; // cast: whether it has more is asked below
    if (images.generateImage === undefined)
      throw new OvenError("NODE_UNAVAILABLE", "No module of this installation makes images", {
        status: 501,
        fix: "Install a version of module-ai that does.",
      });
    const caller = { tenantId, userId, executionId, nodeId };
    const answer = await images.generateImage({ ...input, caller, signal });
    for (const warning of answer.warnings) context.log("warn", `The model left something out: ${warning}`);
    const position = { tenantId, executionId, nodeId, visit, item };
    const kept = [];
    for (const { data, mediaType } of answer.images)
      kept.push(await services.blobs.write(position, mediaType, data, summaryOf(context)));
    const [image] = kept;
    if (image === undefined)
      throw new OvenError("MODEL_BAD_RESPONSE", "The model answered without an image", {
        status: 502,
        retryable: true,
      });
    return done(
      { images: kept, image, model: answer.model },
      { spend: { tokenUsage: answer.usage, costMicros: answer.costMicros } },
    );
  },
});

/** What references show instead of the picture. */
function summaryOf({ input: { prompt } }: Pick<NodeContext<Input>, "input">): string {
  return prompt.length > 120 ? `${prompt.slice(0, 119)}…` : prompt;
}
