import { z } from "zod";
import { SecretNameSchema, SecretReferenceSchema } from "./secret.ts";

/** Which API a model provider speaks; `GET /api/ai-provider-kinds` lists those that are installed. */
export const ProviderKindSchema = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "lower-case letters, digits and dashes");
export type ProviderKind = z.infer<typeof ProviderKindSchema>;

const HeadersSchema = z.record(z.string().min(1).max(200), z.union([z.string().max(8_192), SecretReferenceSchema]));

/** A kind of provider that can be set up. */
export const ProviderKindInfoSchema = z.strictObject({
  id: ProviderKindSchema,
  title: z.string(),
  /** One sentence for people who choose among the kinds. */
  help: z.string(),
  /** The vendor's own address; null: each provider of the kind needs one. */
  baseUrl: z.string().nullable(),
  /** What its models make. */
  makes: z.array(z.enum(["text", "embeddings", "images", "videos"])),
});
export type ProviderKindInfo = z.infer<typeof ProviderKindInfoSchema>;

/** A place models come from. Keys are never shown. */
export const ModelProviderSchema = z.strictObject({
  /** First part of `providerId:modelId`. */
  id: z.string(),
  title: z.string(),
  /** The `kind` of a `ProviderKindInfo`, or `local` or `simulated`. */
  kind: ProviderKindSchema,
  configured: z.boolean(),
  simulated: z.boolean(),
  /** Where its settings come from: the operator's environment, the tenant, or nowhere. Only the tenant's settings can be changed over the API. */
  source: z.enum(["environment", "tenant", "built-in"]),
  enabled: z.boolean(),
  baseUrl: z.string().nullable(),
  /** Name of the secret that is its key. */
  secret: z.string().nullable(),
  headers: HeadersSchema,
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
});
export type ModelProvider = z.infer<typeof ModelProviderSchema>;

const readOnly = {
  configured: z.unknown().optional(),
  simulated: z.unknown().optional(),
  source: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

const settings = {
  title: z.string().trim().min(1).max(200).optional(),
  /** Absent: the vendor's own address. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .optional(),
  secret: SecretNameSchema.nullable().optional(),
  headers: HeadersSchema.optional(),
  enabled: z.boolean().optional(),
};

/** The body of `POST /api/ai-providers`. */
export const CreateModelProviderSchema = z.strictObject({
  ...readOnly,
  ...settings,
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "lower-case letters, digits and dashes"),
  kind: ProviderKindSchema,
});
export type CreateModelProvider = z.infer<typeof CreateModelProviderSchema>;

/** Id and kind are fixed. */
export const UpdateModelProviderSchema = z.strictObject({
  ...readOnly,
  ...settings,
  id: z.unknown().optional(),
  kind: z.unknown().optional(),
});
export type UpdateModelProvider = z.infer<typeof UpdateModelProviderSchema>;

/** What a real call to a provider came to. */
export const ProviderTestSchema = z.strictObject({
  ok: z.boolean(),
  latencyMs: z.int().nonnegative(),
  /** The models it lists; empty for those that have no list. */
  models: z.array(z.string()),
  problem: z.string().nullable(),
  fix: z.string().nullable(),
});
export type ProviderTest = z.infer<typeof ProviderTestSchema>;

/** The models that a provider says it has; `problem` where it could not be asked. */
export const ProviderModelsSchema = z.strictObject({
  /** First part of `providerId:modelId`. */
  id: z.string(),
  title: z.string(),
  models: z.array(z.string()),
  /** More than are listed. */
  truncated: z.boolean(),
  problem: z.strictObject({ message: z.string(), fix: z.string().nullable() }).nullable(),
});
export type ProviderModels = z.infer<typeof ProviderModelsSchema>;
