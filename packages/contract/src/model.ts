import { z } from "zod";
import { BlobReferenceSchema } from "./blob.ts";
import { JsonSchema } from "./json.ts";
import { TokenUsageSchema } from "./node-contract.ts";

/*
 * A conversation as runs keep it. Parts carry what the provider gave (reasoning signatures, item ids) in
 * `providerOptions`, verbatim. Tools are named by id (`orders.get`); only the wire has dotless names.
 */
const providerOptions = z.record(z.string(), z.record(z.string(), JsonSchema)).optional();

/** Text of a message. */
export const TextPartSchema = z.looseObject({ type: z.literal("text"), text: z.string(), providerOptions });
/**
 * A picture that a model sees beside a message: at `url`, and stored outside of the conversation as `file`. Without `file` it was not read,
 * because the answer comes from a recording.
 */
export const ImagePartSchema = z.looseObject({
  type: z.literal("image"),
  url: z.string().optional(),
  file: BlobReferenceSchema.optional(),
  providerOptions,
});
/** What a model thought before it answered. */
export const ReasoningPartSchema = z.looseObject({ type: z.literal("reasoning"), text: z.string(), providerOptions });
/** A call that the model asks for, as part of a message. */
export const ToolCallPartSchema = z.looseObject({
  type: z.literal("tool-call"),
  toolCallId: z.string(),
  toolName: z.string(),
  input: JsonSchema,
  providerOptions,
});
/** What a tool answered, as part of a message. */
export const ToolResultPartSchema = z.looseObject({
  type: z.literal("tool-result"),
  toolCallId: z.string(),
  toolName: z.string(),
  output: z.looseObject({ type: z.enum(["text", "json", "error-text", "error-json"]), value: JsonSchema }),
  /** Pictures and sounds that the tool answered, stored outside of the conversation: for models that can take them. */
  files: z.array(BlobReferenceSchema).optional(),
  providerOptions,
});

/** One message of a conversation with a model. */
export const MessageSchema = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: z.string() }),
  z.looseObject({
    role: z.literal("user"),
    content: z.union([z.string(), z.array(z.discriminatedUnion("type", [TextPartSchema, ImagePartSchema]))]),
  }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion("type", [TextPartSchema, ReasoningPartSchema, ToolCallPartSchema])),
    ]),
  }),
  z.looseObject({ role: z.literal("tool"), content: z.array(ToolResultPartSchema) }),
]);
export type Message = z.infer<typeof MessageSchema>;

/** A call that a model asks for. */
export const ToolCallSchema = z.strictObject({ toolCallId: z.string(), tool: z.string(), arguments: JsonSchema });
export type ToolCall = z.infer<typeof ToolCallSchema>;

/** Why a model stopped. */
export const FinishReasonSchema = z.enum(["stop", "length", "content-filter", "tool-calls", "error", "other"]);

/** One usage row, written for every model call. */
export const UsageRowSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int(),
  providerId: z.string(),
  modelId: z.string(),
  alias: z.string().nullable(),
  operation: z.enum(["generate", "stream", "embed", "image", "video", "classify"]),
  /** Where the answer comes from: a recording or the cache costs nothing. */
  source: z.enum(["provider", "cache", "recording"]),
  tokenUsage: TokenUsageSchema,
  /** The call broke off, so that its tokens are counted by us and not by the provider. */
  estimated: z.boolean(),
  costMicros: z.int(),
  latencyMs: z.int(),
  status: z.enum(["ok", "error", "aborted"]),
  error: z.string().nullable(),
  executionId: z.int().nullable(),
  nodeId: z.string().nullable(),
  userId: z.int().nullable(),
  keyId: z.int().nullable(),
  /** `agent-workflow:7`. */
  workflow: z.string().nullable(),
  agent: z.string().nullable(),
  /** The model of the alias's chain that did not answer before. */
  fallbackFrom: z.string().nullable(),
  createdAt: z.string(),
});
export type UsageRow = z.infer<typeof UsageRowSchema>;

/** What calls of models came to, for one day (UTC), model or workflow. */
export const UsageSummarySchema = z.strictObject({
  /** `2026-01-31`, `openai:gpt-5`, `agent-workflow:7`; null: calls of no workflow. */
  key: z.string().nullable(),
  calls: z.int(),
  errors: z.int(),
  input: z.int(),
  output: z.int(),
  cached: z.int(),
  reasoning: z.int(),
  costMicros: z.int(),
  /** Mean of the calls that were answered. */
  latencyMs: z.int().nullable(),
});
export type UsageSummary = z.infer<typeof UsageSummarySchema>;

/** A deterministic model: the first rule that matches the request's messages answers. Always shown as simulated. */
export const SimulatedReplySchema = z.strictObject({
  text: z.string().optional(),
  toolCalls: z.array(z.strictObject({ tool: z.string(), arguments: JsonSchema.default({}) })).optional(),
  object: JsonSchema.optional(),
  /** Pause between streamed chunks, in milliseconds. */
  chunkMs: z.int().nonnegative().max(10_000).optional(),
  usage: z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() }).optional(),
  fail: z.strictObject({ status: z.int(), retryAfter: z.number().nonnegative().optional() }).optional(),
});

/** What the simulated model answers, rule by rule. */
export const SimulatedScriptSchema = z.strictObject({
  name: z.string().min(1),
  rules: z.array(
    z.strictObject({
      when: z.strictObject({
        last: z.enum(["user", "tool", "any"]),
        matches: z.string().optional(),
        tool: z.string().optional(),
        turn: z.int().positive().optional(),
      }),
      reply: SimulatedReplySchema,
    }),
  ),
  otherwise: SimulatedReplySchema.optional(),
});
export type SimulatedScript = z.infer<typeof SimulatedScriptSchema>;
export type SimulatedReply = z.infer<typeof SimulatedReplySchema>;
