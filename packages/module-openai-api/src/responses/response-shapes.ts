import { z } from "zod";
import { OpenAiErrorSchema } from "../errors/openai-errors.ts";
import { ovenFields } from "../requests/oven-fields.ts";
import { ContentSchema } from "../requests/read-text.ts";
import { toolFields } from "../requests/read-tools.ts";

/** What a request has as input, of all types in one: which fields there are depends on the type. */
const ItemSchema = z.looseObject({
  /** Absent: a message. */
  type: z.string().optional(),
  role: z.enum(["system", "developer", "user", "assistant"]).optional(),
  content: ContentSchema,
  id: z.string().nullish(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  call_id: z.string().optional(),
  output: ContentSchema,
});
export type InputItem = z.infer<typeof ItemSchema>;

/** The body of `POST /v1/responses`; what it does not name is taken and has no effect. */
export const NewResponseSchema = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(ItemSchema).max(1_000)]).default([]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
  ...toolFields,
  ...ovenFields,
});
export type NewResponse = z.infer<typeof NewResponseSchema>;

const OutputMessageSchema = z.strictObject({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  status: z.enum(["completed", "in_progress"]),
  content: z.array(
    z.strictObject({ type: z.literal("output_text"), text: z.string(), annotations: z.array(z.never()) }),
  ),
});
/** A call of a tool of the caller's. */
const OutputCallSchema = z.strictObject({
  id: z.string(),
  type: z.literal("function_call"),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  status: z.enum(["completed", "in_progress"]),
});
export type OutputCall = z.infer<typeof OutputCallSchema>;
export type OutputMessage = z.infer<typeof OutputMessageSchema>;

/** A run as `POST /v1/responses` and `GET /v1/responses/{id}` answer it. */
export const ResponseSchema = z.strictObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  /** `incomplete`: it waits for a person, or for an event from outside. */
  status: z.enum(["completed", "incomplete", "in_progress", "failed", "cancelled"]),
  model: z.string(),
  output: z.array(z.discriminatedUnion("type", [OutputMessageSchema, OutputCallSchema])),
  error: OpenAiErrorSchema.shape.error.nullable(),
  incomplete_details: z.strictObject({ reason: z.string() }).nullable(),
  instructions: z.string().nullable(),
  previous_response_id: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.boolean(),
  tool_choice: z.literal("auto"),
  tools: z.array(z.never()),
  temperature: z.null(),
  top_p: z.null(),
  usage: z
    .strictObject({
      input_tokens: z.int(),
      input_tokens_details: z.strictObject({ cached_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
    })
    .nullable(),
});
export type OpenAiResponse = z.infer<typeof ResponseSchema>;
