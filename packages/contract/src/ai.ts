import { z } from "zod";
import { AgentConfigSchema } from "./definition.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";
import { FinishReasonSchema, MessageSchema, ToolCallSchema } from "./model.ts";
import { EffectSchema, TokenUsageSchema } from "./node-contract.ts";

/** What a model name stands for at this moment. */
export const ResolvedModelSchema = z.strictObject({
  providerId: z.string(),
  modelId: z.string(),
  simulated: z.boolean(),
  /** The alias that was asked for; null when the model was named itself. */
  alias: z.string().nullable(),
});
export type ResolvedModel = z.infer<typeof ResolvedModelSchema>;

/** Settings an alias gives when neither node, definition nor agent sets them. */
export const AliasSettingsSchema = AgentConfigSchema.pick({
  temperature: true,
  topP: true,
  maxOutputTokens: true,
  seed: true,
  timeoutMs: true,
}).extend({
  /** How long a stream may be silent between two chunks. */
  idleTimeoutMs: z.int().positive().optional(),
  /** Given: the same request is answered again from what was answered before, for this long. */
  cacheTtlMs: z.int().positive().optional(),
});
export type AliasSettings = z.infer<typeof AliasSettingsSchema>;

/** `auto`: the first configured provider, else the simulated model. */
const ModelNameSchema = z.string().regex(/^(auto|[a-z0-9-]+:.+)$/, "`auto` or `providerId:modelId`");
const ModelChainSchema = z.array(ModelNameSchema).min(1).max(10);

/** A model alias, as `GET /api/ai-aliases/[id]` answers it. */
export const ModelAliasSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  name: z.string(),
  /** The first of `models`. */
  model: z.string(),
  /** What is tried in this order: the next one when a provider is down, has too many requests or is too slow. */
  models: z.array(z.string()).min(1),
  settings: AliasSettingsSchema,
  resolvesTo: ResolvedModelSchema.nullable(),
  /** Why it resolves to nothing right now. */
  problem: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ModelAlias = z.infer<typeof ModelAliasSchema>;

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = {
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  resolvesTo: z.unknown().optional(),
  problem: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

/** One model as `model`, or several as `models`; given both, `models` counts. */
export const CreateModelAliasSchema = z
  .strictObject({
    ...readOnly,
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "lower-case letters, digits and dashes"),
    model: ModelNameSchema.optional(),
    models: ModelChainSchema.optional(),
    settings: AliasSettingsSchema.default({}),
  })
  .refine(({ model, models }) => model !== undefined || models !== undefined, {
    path: ["models"],
    message: "name at least one model",
  });
export type CreateModelAlias = z.infer<typeof CreateModelAliasSchema>;

/**
 * The name of an alias is fixed. A client that sends a whole row back with another `model` means the model: `models` counts
 * only where its first entry is `model`, or `model` is absent.
 */
export const UpdateModelAliasSchema = z.strictObject({
  ...readOnly,
  name: z.unknown().optional(),
  model: ModelNameSchema.optional(),
  models: ModelChainSchema.optional(),
  settings: AliasSettingsSchema.optional(),
});
export type UpdateModelAlias = z.infer<typeof UpdateModelAliasSchema>;

/** A model of a chain that did not answer, and why the next one was asked. */
export const ModelFallbackSchema = z.strictObject({ model: z.string(), code: z.string(), message: z.string() });
export type ModelFallback = z.infer<typeof ModelFallbackSchema>;

/** The body of `POST /api/ai/generate`. */
export const GenerateBodySchema = z.strictObject({
  model: z.string().min(1),
  system: z.string().optional(),
  messages: z.array(MessageSchema).min(1),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.int().positive().optional(),
  seed: z.int().optional(),
  /** The answer's `object` fits it, or the call fails. */
  outputSchema: JsonObjectSchema.optional(),
  /** How often an answer that does not fit is asked for again; each is a call of its own. */
  maxCorrections: z.int().min(0).max(5).optional(),
});
export type GenerateBody = z.infer<typeof GenerateBodySchema>;

/** What one model call answered. */
export const ModelAnswerSchema = z.strictObject({
  text: z.string(),
  toolCalls: z.array(ToolCallSchema),
  finishReason: FinishReasonSchema,
  /** The assistant message to keep: tool ids instead of wire names, provider metadata verbatim. */
  message: MessageSchema,
  /** What an output schema asked for: the text as JSON, or the one JSON value in it that fits. */
  object: JsonSchema.optional(),
  /** How the answer was read where it was not quite as asked for, such as JSON with other words around it. */
  notes: z.array(z.string()).optional(),
  usage: TokenUsageSchema,
  costMicros: z.int().nonnegative(),
  model: ResolvedModelSchema,
  /** Settings the provider does not know and left out, and what guardrails have to say. */
  warnings: z.array(z.string()),
  /** The models that were asked before and did not answer, in order. */
  fallbacks: z.array(ModelFallbackSchema).optional(),
  /** Where the answer comes from when no model was asked. */
  source: z.enum(["cache", "recording"]).optional(),
});
export type ModelAnswer = z.infer<typeof ModelAnswerSchema>;

/** A tool as models, MCP clients and people see it. */
export const ToolInfoSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: JsonObjectSchema,
  outputSchema: JsonObjectSchema,
  effect: EffectSchema,
  needsApproval: z.boolean(),
  /** Only calls on whose arguments this holds need it: CEL over `args`. Absent: each call. */
  approvalWhen: z.string().optional(),
  /** Permission a caller must hold; null: any signed-in principal. */
  permission: z.string().nullable(),
  /** Where there are several: all that a caller must hold. */
  permissions: z.array(z.string()).optional(),
  /** Permissions beside those that it asks for with some arguments. */
  mayNeed: z.array(z.string()).optional(),
  /** It starts runs, or makes what later acts for its caller: which permissions that takes, only its arguments say. */
  delegates: z.literal(true).optional(),
  /** `mcp`: of an outside server, `api`: of an API that the tenant is connected to. */
  source: z.enum(["tool", "route", "action", "mcp", "api", "a2a"]),
  /** In the middle of a call it may ask the person who calls it for something. */
  asksCaller: z.literal(true).optional(),
  /** What to know before it is used now, such as that its server does not answer. */
  note: z.string().optional(),
  /** What policies on graphs name it by. */
  tags: z.array(z.string()).optional(),
});
export type ToolInfo = z.infer<typeof ToolInfoSchema>;
