import { type JsonObject, JsonObjectSchema, JsonSchema } from "@oven/contract";
import { ImageOptionsSchema } from "@oven/contract/ai";
import { BlobReferenceSchema } from "@oven/contract/run";
import { callerOf } from "@oven/module-ai";
import { defineTool, type ToolContext, type ToolDefinition } from "@oven/module-registry";
import { NO_RUN } from "@oven/module-workflows";
import { z } from "zod";
import { DEFAULT_MODEL } from "../nodes/model-input.ts";
import { keepImages, summaryOf } from "./stored-images.ts";

const permission = "ai.generate";

const asked = {
  prompt: z.string().min(1).max(200_000),
  system: z.string().max(100_000).optional(),
  model: z.string().min(1).default(DEFAULT_MODEL).describe("Alias (`fast`) or `providerId:modelId`"),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().positive().optional(),
};

const generateText = defineTool({
  id: "ai.generateText",
  title: "Ask a model",
  description: "Asks a language model once, without this conversation, and answers its text",
  input: z.strictObject(asked),
  output: z.strictObject({ text: z.string(), finishReason: z.string() }),
  effect: "at-least-once",
  tags: ["outside-content"],
  permission,
  async run(context) {
    const { text, finishReason } = await context.services.ai.generate(toRequest(context));
    return { text, finishReason };
  },
});

const generateObject = defineTool({
  id: "ai.generateObject",
  title: "Ask a model for JSON",
  description:
    "Asks a language model once for JSON of a schema; the answer is checked, and asked for again when it does not fit",
  input: z.strictObject({ ...asked, schema: JsonObjectSchema.describe("JSON Schema of the answer") }),
  output: z.strictObject({ object: JsonSchema }),
  effect: "at-least-once",
  tags: ["outside-content"],
  permission,
  async run(context) {
    // cast: its schema is that of JSON objects
    const outputSchema = context.input.schema as JsonObject;
    const { object } = await context.services.ai.object({ ...toRequest(context), outputSchema });
    return { object: object ?? null };
  },
});

const generateImage = defineTool({
  id: "ai.generateImage",
  title: "Make an image",
  description: "Makes images from a prompt and answers references to them; the user can open them",
  input: ImageOptionsSchema,
  output: z.strictObject({ images: z.array(BlobReferenceSchema), model: z.string() }),
  effect: "at-least-once",
  permission,
  async run(context) {
    const { input, services, principal, run, signal } = context;
    const position = { ...NO_RUN, ...run, tenantId: principal.tenantId };
    const answer = await keepImages(services, input, position, { caller: callerOf(principal, run), signal });
    return { images: answer.images, model: `${answer.model.providerId}:${answer.model.modelId}` };
  },
});

const generateVideo = defineTool({
  id: "ai.generateVideo",
  title: "Make a video",
  description:
    "Makes a short video from a prompt, which takes minutes, and answers a reference to it; the user can open it",
  input: z.strictObject({
    prompt: z.string().min(1).max(32_000),
    model: z.string().min(1).describe("`providerId:modelId`, such as `google:veo-3.1-generate-preview`"),
    seconds: z.number().positive().max(60).default(8),
    aspectRatio: z.templateLiteral([z.int().positive(), ":", z.int().positive()]).optional().describe("`16:9`"),
    resolution: z.templateLiteral([z.int().positive(), "x", z.int().positive()]).optional().describe("`1280x720`"),
    seed: z.int().optional(),
  }),
  output: z.strictObject({ video: BlobReferenceSchema, model: z.string() }),
  effect: "at-least-once",
  permission,
  timeoutMs: 900_000,
  async run({ input, services, principal, run, signal }) {
    const { aspectRatio, resolution, seed, ...asked } = input;
    const answer = await services.ai.generateVideo({
      ...asked,
      ...(aspectRatio === undefined ? {} : { aspectRatio }),
      ...(resolution === undefined ? {} : { resolution }),
      ...(seed === undefined ? {} : { seed }),
      caller: callerOf(principal, run),
      signal,
    });
    const { bytes, mediaType } = answer.video;
    const position = { ...NO_RUN, ...run, tenantId: principal.tenantId };
    const video = await services.blobs.write(position, mediaType, bytes, summaryOf(input.prompt));
    return { video, model: `${answer.model.providerId}:${answer.model.modelId}` };
  },
});

export const modelTools: ToolDefinition[] = [generateText, generateObject, generateImage, generateVideo];

type Asked = z.output<z.ZodObject<typeof asked>>;

function toRequest({ input, idempotencyKey, signal, principal, run }: ToolContext<Asked>) {
  const { prompt, system, model, temperature, maxOutputTokens } = input;
  return {
    model,
    messages: [{ role: "user" as const, content: prompt }],
    ...(system === undefined ? {} : { system }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    idempotencyKey,
    signal,
    caller: callerOf(principal, run),
  };
}
