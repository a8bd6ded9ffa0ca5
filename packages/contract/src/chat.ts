import { z } from "zod";
import { ModelSettingsSchema } from "./definition.ts";
import { ExecutionStatusSchema } from "./execution.ts";
import { IdOrSlugSchema } from "./ids.ts";
import { JsonObjectSchema } from "./json.ts";
import { TokenUsageSchema } from "./node-contract.ts";

/** Who answers in a chat. */
export const ChatTargetKindSchema = z.enum(["agent", "agent-workflow", "workflow"]);
export type ChatTargetKind = z.infer<typeof ChatTargetKindSchema>;

/** How what is said becomes the input of a workflow, and its output an answer. */
export const ChatMappingSchema = z.strictObject({
  /** The field of the input that gets what is said. */
  message: z.string().min(1).max(200),
  /** The field that gets the conversation, what is said last; null: none, each message stands alone. */
  messages: z.string().min(1).max(200).nullable(),
  /** Where the output has the answer, such as `reply.text`; null: `text`, `answer`, `reply` or `message` of it, else all of it. */
  answer: z.string().min(1).max(500).nullable(),
  /** What else every run gets. */
  input: JsonObjectSchema,
});
export type ChatMapping = z.infer<typeof ChatMappingSchema>;

/** An agent or workflow that can be chatted with. */
export const ChatTargetSchema = z.strictObject({
  kind: ChatTargetKindSchema,
  id: z.int().positive(),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: z.string(),
  /** Null: it can be talked to as it is. */
  misfit: z.string().nullable(),
  /** Whether it gets what was said before. */
  remembers: z.boolean(),
  /** How a workflow's input and output are read, unless the chat says otherwise. */
  mapping: ChatMappingSchema.nullable(),
  /** JSON Schema of what else it takes: the parameters an agent exposes, or the other fields of a workflow's input. */
  parameters: JsonObjectSchema.nullable(),
});
export type ChatTarget = z.infer<typeof ChatTargetSchema>;

/** The body of `POST /api/chat-sessions`. */
export const NewChatSessionSchema = z.strictObject({
  target: z.strictObject({ kind: ChatTargetKindSchema, id: z.union([z.int().positive(), IdOrSlugSchema]) }),
  /** Left out: the beginning of the first message. */
  title: z.string().trim().min(1).max(200).optional(),
  /** Values of the parameters that an agent exposes. */
  parameters: JsonObjectSchema.default({}),
  /** Model settings in place of the agent's own. They need the permission to change the agent. */
  modelSettings: ModelSettingsSchema.default({}),
  /** Differences from the workflow's own mapping of input and output. */
  mapping: ChatMappingSchema.partial().optional(),
});
export type NewChatSession = z.infer<typeof NewChatSessionSchema>;

/** A chat session, as `GET /api/chat-sessions/[id]` answers it. */
export const ChatSessionSchema = z.strictObject({
  id: z.int().positive(),
  title: z.string().nullable(),
  target: z.strictObject({ kind: ChatTargetKindSchema, id: z.int().positive(), name: z.string() }),
  /** The agent's conversation, which has the messages. */
  agentSessionId: z.int().nullable(),
  parameters: JsonObjectSchema,
  modelSettings: ModelSettingsSchema,
  mapping: ChatMappingSchema.nullable(),
  createdAt: z.string(),
  /** The time of the last message. */
  updatedAt: z.string(),
});
export type ChatSession = z.infer<typeof ChatSessionSchema>;

/** The body of `PUT /api/chat-sessions/[id]`. */
export const UpdateChatSessionSchema = z.strictObject({
  title: z.string().trim().min(1).max(200).optional(),
  /** From the next message on. */
  parameters: JsonObjectSchema.optional(),
  /** From the next message on; needs `agents.update`. */
  modelSettings: ModelSettingsSchema.optional(),
  id: z.unknown().optional(),
  target: z.unknown().optional(),
  agentSessionId: z.unknown().optional(),
  mapping: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});
export type UpdateChatSession = z.infer<typeof UpdateChatSessionSchema>;

/** The body of `POST /api/chat-sessions/[id]/messages`. */
export const NewChatMessageSchema = z.strictObject({ message: z.string().trim().min(1).max(200_000) });

/** What was said, and what came of it: an answer, an error, or a run that goes on or waits. */
export const ChatMessageSchema = z.strictObject({
  id: z.int().positive(),
  sessionId: z.int().positive(),
  message: z.string(),
  answer: z.string().nullable(),
  /** The status of its run; also `pending` before the run exists. */
  status: ExecutionStatusSchema,
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  executionId: z.int().nullable(),
  executionKind: z.enum(["workflow", "agent-workflow"]),
  /** How many tools it called. */
  toolCalls: z.int(),
  simulated: z.boolean(),
  tokenUsage: TokenUsageSchema,
  costMicros: z.int(),
  /** Milliseconds from its start to its end, waiting included; null: it has not ended. */
  durationMs: z.int().nullable(),
  createdAt: z.string(),
});
export type ChatMessage = z.infer<typeof ChatMessageSchema>;

/** A later run takes the place of the one named: two who ask at once get one. */
export const RetryChatMessageSchema = z.strictObject({ executionId: z.int().positive() });

/** The body of `PUT /api/chat-sessions/[id]/messages/[messageId]/thumb`: 1 is up, 0 is down, null takes it back. */
export const RateChatMessageSchema = z.strictObject({
  value: z.union([z.literal(0), z.literal(1), z.null()]),
  comment: z.string().trim().max(2_000).nullable().default(null),
});
export type RateChatMessage = z.infer<typeof RateChatMessageSchema>;

/** What the person thinks of an answer. */
export const ChatThumbSchema = z.strictObject({
  messageId: z.int().positive(),
  /** The run that made the answer: one that is made again has no thumb yet. */
  executionId: z.int().positive(),
  value: z.number().min(0).max(1).nullable(),
  comment: z.string().nullable(),
});
export type ChatThumb = z.infer<typeof ChatThumbSchema>;
