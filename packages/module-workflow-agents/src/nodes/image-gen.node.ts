import { BlobReferenceSchema } from "@oven/contract";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import type {} from "@oven/module-workflows";
import { z } from "zod";
import { type ImageOptions, ImageOptionsSchema, noImage, toImageRequest } from "../tools/image-options.ts";
import { orAskAboutBudget, releasedBudgets } from "./budget-pause.ts";
import { callerOfNode } from "./model-caller.ts";

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
  run: (context) => orAskAboutBudget([], (released) => makeImages(context, released)),
  resume: (context, signal) =>
    orAskAboutBudget(releasedBudgets("agent.imageGen", signal), (released) => makeImages(context, released)),
});

async function makeImages(context: NodeContext<ImageOptions>, releasedBudgets: readonly number[]) {
  const { input, services, principal, node, signal } = context;
  const { executionId, nodeId, visit, item } = node;
  const answer = await services.ai.generateImage({
    ...toImageRequest(input),
    caller: callerOfNode(context),
    signal,
    releasedBudgets,
  });
  for (const warning of answer.warnings) context.log("warn", `The model left something out: ${warning}`);
  for (const { model, message } of answer.fallbacks ?? [])
    context.log("warn", `Another model was asked instead of ${model}: ${message}`);
  const position = { tenantId: principal.tenantId, executionId, nodeId, visit, item };
  const kept = [];
  for (const { bytes, mediaType } of answer.images)
    kept.push(await services.blobs.write(position, mediaType, bytes, summaryOf(context)));
  const [image] = kept;
  if (image === undefined) throw noImage();
  const { providerId, modelId } = answer.model;
  return done(
    { images: kept, image, model: `${providerId}:${modelId}` },
    { spend: { tokenUsage: answer.usage, costMicros: answer.costMicros } },
  );
}

/** What references show instead of the picture. */
function summaryOf({ input: { prompt } }: Pick<NodeContext<ImageOptions>, "input">): string {
  return prompt.length > 120 ? `${prompt.slice(0, 119)}…` : prompt;
}
