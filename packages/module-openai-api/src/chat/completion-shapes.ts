import { z } from "zod";
import { ovenFields } from "../requests/oven-fields.ts";
import { ContentSchema } from "../requests/read-text.ts";
import { toolFields } from "../requests/read-tools.ts";

const MessageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: ContentSchema,
  refusal: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().optional(),
        function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
      }),
    )
    .nullish(),
  tool_call_id: z.string().optional(),
});

/** The body of `POST /v1/chat/completions`; what it does not name is taken and has no effect. */
export const NewCompletionSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(MessageSchema).min(1).max(1_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  ...toolFields,
  ...ovenFields,
});
export type NewCompletion = z.infer<typeof NewCompletionSchema>;

const CompletionUsageSchema = z.strictObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.strictObject({ cached_tokens: z.int() }),
  completion_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
});

/** A call of a tool of the caller's. */
const CompletionCallSchema = z.strictObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

/** What `POST /v1/chat/completions` answers without `stream`. */
export const CompletionSchema = z.strictObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z
    .array(
      z.strictObject({
        index: z.literal(0),
        message: z.strictObject({
          role: z.literal("assistant"),
          content: z.string().nullable(),
          refusal: z.null(),
          tool_calls: z.array(CompletionCallSchema).optional(),
        }),
        finish_reason: z.enum(["stop", "tool_calls"]),
        logprobs: z.null(),
      }),
    )
    .length(1),
  usage: CompletionUsageSchema,
  metadata: z.record(z.string(), z.string()),
});
export type Completion = z.infer<typeof CompletionSchema>;
