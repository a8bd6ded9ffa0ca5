import { BlobReferenceSchema, OvenError } from "@oven/contract";
import { defineNode, done, type NodeContext, type ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-workflows";
import { z } from "zod";
import { type ImageOptions, ImageOptionsSchema, type ImageService } from "../tools/image-service.ts";

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
  input: ImageOptionsSchema,
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
function summaryOf({ input: { prompt } }: Pick<NodeContext<ImageOptions>, "input">): string {
  return prompt.length > 120 ? `${prompt.slice(0, 119)}…` : prompt;
}
