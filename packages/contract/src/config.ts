import { z } from "zod";
import { JsonSchema } from "./json.ts";

/** Which level of the cascade a configuration value came from, strongest first. */
export const ConfigSourceSchema = z.enum([
  "tenant-instance",
  "tenant-module",
  "platform-instance",
  "platform-module",
  "default",
]);
export type ConfigSource = z.infer<typeof ConfigSourceSchema>;

/** A stored value. `tenantId: null`: for the whole installation. `scopeId`: for one instance only, such as a workflow's id. */
export const ModuleConfigSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  moduleName: z.string(),
  key: z.string(),
  scopeId: z.string().nullable(),
  value: JsonSchema,
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ModuleConfig = z.infer<typeof ModuleConfigSchema>;

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = {
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  createdBy: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

const scopeId = z.string().trim().min(1).max(200);

/** The body of `POST /api/module-configs`. */
export const CreateModuleConfigSchema = z.strictObject({
  moduleName: z.string().min(1),
  key: z.string().min(1),
  scopeId: scopeId.nullish(),
  value: JsonSchema,
  /** For the whole installation instead of one's own tenant; needs `config.platform`. */
  platform: z.boolean().default(false),
  ...readOnly,
});
export type CreateModuleConfig = z.infer<typeof CreateModuleConfigSchema>;

/** The body of `PUT /api/module-configs/[id]`. */
export const UpdateModuleConfigSchema = z.strictObject({
  value: JsonSchema,
  moduleName: z.unknown().optional(),
  key: z.unknown().optional(),
  scopeId: z.unknown().optional(),
  ...readOnly,
});

/** The query of `GET /api/module-configs/resolve`. */
export const ResolveConfigQuerySchema = z.object({
  moduleName: z.string().min(1),
  key: z.string().min(1),
  scopeId: scopeId.optional(),
});

/** The query of `GET /api/module-configs/resolve-batch`. */
export const ResolveConfigBatchQuerySchema = z.object({
  moduleName: z.string().min(1),
  /** Comma-separated; absent: every key of the module. */
  keys: z.string().min(1).optional(),
  scopeId: scopeId.optional(),
});

/** A resolved config, as `GET /api/module-configs/resolve` answers it. */
export const ResolvedConfigSchema = z.strictObject({ value: JsonSchema, source: ConfigSourceSchema });
export type ResolvedConfig = z.infer<typeof ResolvedConfigSchema>;

/** A key that a module declares, with everything that is stored for it: an element of `GET /api/module-configs/cascade`. */
export const ConfigCascadeSchema = z.strictObject({
  moduleName: z.string(),
  key: z.string(),
  type: z.enum(["number", "string", "boolean", "object", "array"]),
  description: z.string(),
  defaultValue: JsonSchema,
  /** What an instance of it is, such as "id of a workflow"; null: it has no values for single instances. */
  instances: z.string().nullable(),
  /** What holds for the tenant where no instance has a value of its own, and where it comes from. */
  value: JsonSchema,
  source: ConfigSourceSchema,
  /** Why that value is refused when it is read; null: it fits. */
  problem: z.string().nullable(),
  /** The stored values, strongest first. */
  stored: z.array(
    z.strictObject({
      id: z.int().positive(),
      source: ConfigSourceSchema,
      scopeId: z.string().nullable(),
      value: JsonSchema,
    }),
  ),
});
export type ConfigCascade = z.infer<typeof ConfigCascadeSchema>;
