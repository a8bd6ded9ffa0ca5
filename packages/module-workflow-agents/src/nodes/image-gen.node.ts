import { type ImageOptions, ImageOptionsSchema } from "@oven/contract/ai";
import { BlobReferenceSchema } from "@oven/contract/run";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import { z } from "zod";
import { keepImages } from "../tools/stored-images.ts";
import { orAskAboutBudget, releasedBudgets } from "./budget-pause.ts";
import { unknownModel } from "./ceilings.ts";
import { callerOfNode } from "./model-caller.ts";

export const imageGenNode = defineNode({
  id: "agent.imageGen",
  version: 1,
  title: "Image",
  synonyms: ["picture", "photo", "draw", "generate image"],
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
  ceiling: ({ input: { model } }) => ({
    perCall: unknownModel({ code: "model-price", ...(typeof model === "string" ? { about: model } : {}) }),
  }),
  run: (context) => orAskAboutBudget([], (released) => makeImages(context, released)),
  resume: (context, signal) =>
    orAskAboutBudget(releasedBudgets("agent.imageGen", signal), (released) => makeImages(context, released)),
});

async function makeImages(context: NodeContext<ImageOptions>, releasedBudgets: readonly number[]) {
  const { input, services, principal, node, signal } = context;
  const { executionId, nodeId, visit, item } = node;
  const position = { tenantId: principal.tenantId, executionId, nodeId, visit, item };
  const asked = { caller: callerOfNode(context), signal, releasedBudgets };
  const { images, model, ...answer } = await keepImages(services, input, position, asked);
  for (const warning of answer.warnings) context.log("warn", `The model left something out: ${warning}`);
  for (const { model: other, message } of answer.fallbacks ?? [])
    context.log("warn", `Another model was asked instead of ${other}: ${message}`);
  const [image] = images;
  return done(
    { images, image, model: `${model.providerId}:${model.modelId}` },
    { spend: { tokenUsage: answer.usage, costMicros: answer.costMicros, simulated: model.simulated } },
  );
}
