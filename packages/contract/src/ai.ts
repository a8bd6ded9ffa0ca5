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
});
export type AliasSettings = z.infer<typeof AliasSettingsSchema>;

export const ModelAliasSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  name: z.string(),
  /** `providerId:modelId`, or `auto`: the first configured provider, else the simulated model. */
  model: z.string(),
  settings: AliasSettingsSchema,
  resolvesTo: ResolvedModelSchema.nullable(),
  /** Why it resolves to nothing right now. */
  problem: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ModelAlias = z.infer<typeof ModelAliasSchema>;

/** The name of an alias is fixed; read-only fields may be sent back and are ignored. */
export const UpdateModelAliasSchema = z.strictObject({
  model: z
    .string()
    .regex(/^(auto|[a-z0-9-]+:.+)$/, "`auto` or `providerId:modelId`")
    .optional(),
  settings: AliasSettingsSchema.optional(),
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  name: z.unknown().optional(),
  resolvesTo: z.unknown().optional(),
  problem: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});
export type UpdateModelAlias = z.infer<typeof UpdateModelAliasSchema>;

/** A place models come from. Keys are never shown. */
export const ModelProviderSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  configured: z.boolean(),
  simulated: z.boolean(),
});
export type ModelProvider = z.infer<typeof ModelProviderSchema>;

export const GenerateBodySchema = z.strictObject({
  model: z.string().min(1),
  system: z.string().optional(),
  messages: z.array(MessageSchema).min(1),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.int().positive().optional(),
  seed: z.int().optional(),
  outputSchema: JsonObjectSchema.optional(),
});
export type GenerateBody = z.infer<typeof GenerateBodySchema>;

/** What one model call answered. */
export const ModelAnswerSchema = z.strictObject({
  text: z.string(),
  toolCalls: z.array(ToolCallSchema),
  finishReason: FinishReasonSchema,
  /** The assistant message to keep: tool ids instead of wire names, provider metadata verbatim. */
  message: MessageSchema,
  /** The text as JSON, when an output schema was asked for and the text is JSON. */
  object: JsonSchema.optional(),
  usage: TokenUsageSchema,
  costMicros: z.int().nonnegative(),
  model: ResolvedModelSchema,
  /** Settings the provider does not know and left out. */
  warnings: z.array(z.string()),
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
  /** Permission a caller must hold; null: any signed-in principal. */
  permission: z.string().nullable(),
  source: z.enum(["tool", "route"]),
  /** What policies on graphs name it by. */
  tags: z.array(z.string()).optional(),
});
export type ToolInfo = z.infer<typeof ToolInfoSchema>;
