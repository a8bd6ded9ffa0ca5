import {
  BlobReferenceSchema,
  type JsonObject,
  JsonObjectSchema,
  JsonSchema,
  type Message,
  OvenError,
} from "@oven/contract";
import type { ModelCaller } from "@oven/module-ai";
import { defineTool, type ToolContext, type ToolDefinition } from "@oven/module-registry";
import type {} from "@oven/module-workflows";
import { z } from "zod";
import { DEFAULT_MODEL } from "../nodes/model-request.ts";
import { findMismatch, outputMismatch, toCorrection } from "../nodes/output-check.ts";
import { ImageOptionsSchema, type ImageService } from "./image-service.ts";

const permission = "ai.generate";
const MAX_CORRECTIONS = 2;

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
    const { text, finishReason } = await context.services.ai.generate(toRequest(context, []));
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
    const schema = context.input.schema as JsonObject; // cast: its schema is that of JSON objects
    const corrections: Message[] = [];
    for (let attempt = 0; ; attempt += 1) {
      const request = { ...toRequest(context, corrections), outputSchema: schema };
      const idempotencyKey = `${context.idempotencyKey}-${attempt}`;
      const { object, message } = await context.services.ai.generate({ ...request, idempotencyKey });
      const mismatch = findMismatch(schema, object);
      if (mismatch === undefined) return { object: object ?? null };
      if (attempt >= MAX_CORRECTIONS) throw outputMismatch(mismatch, attempt + 1);
      corrections.push(message, { role: "user", content: toCorrection(mismatch, schema) });
    }
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
    const images = services.ai as ToolContext["services"]["ai"] & ImageService; // cast: whether it has more is asked below
    if (images.generateImage === undefined || run === undefined)
      throw new OvenError("NODE_UNAVAILABLE", "Images cannot be made here", {
        status: 501,
        fix: run === undefined ? "Call it from a run, which keeps them." : "Install a version of module-ai that does.",
      });
    const answer = await images.generateImage({ ...input, caller: callerOf(context), signal });
    const position = { ...run, tenantId: principal.tenantId };
    const kept = [];
    for (const { data, mediaType } of answer.images)
      kept.push(await services.blobs.write(position, mediaType, data, input.prompt.slice(0, 120)));
    return { images: kept, model: answer.model };
  },
});

export const modelTools: ToolDefinition[] = [generateText, generateObject, generateImage];

type Asked = z.output<z.ZodObject<typeof asked>>;

function toRequest(context: ToolContext<Asked>, corrections: readonly Message[]) {
  const { prompt, system, model, temperature, maxOutputTokens } = context.input;
  return {
    model,
    messages: [{ role: "user" as const, content: prompt }, ...corrections],
    ...(system === undefined ? {} : { system }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    idempotencyKey: context.idempotencyKey,
    signal: context.signal,
    caller: callerOf(context),
  };
}

function callerOf({ principal: { tenantId, userId }, run }: Pick<ToolContext, "principal" | "run">): ModelCaller {
  return { tenantId, userId, ...(run === undefined ? {} : { executionId: run.executionId, nodeId: run.nodeId }) };
}
