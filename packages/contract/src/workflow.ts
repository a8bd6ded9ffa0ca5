import { z } from "zod";
import { CanarySchema } from "./canary.ts";
import { AgentConfigSchema, MemoryConfigSchema } from "./definition.ts";
import { SlugSchema } from "./ids.ts";
import { JsonObjectSchema } from "./json.ts";
import { TagsSchema } from "./tags.ts";

/** A workflow, as `GET /api/agent-workflows/[id]` answers it. */
export const WorkflowSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  definition: JsonObjectSchema,
  agentConfig: JsonObjectSchema.nullable(),
  memoryConfig: JsonObjectSchema.nullable(),
  mcpExport: z.boolean(),
  enabled: z.boolean(),
  tags: z.array(z.string()),
  version: z.int().positive(),
  /** A version that takes a part of the new runs. */
  canary: CanarySchema.nullable().optional(),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Workflow = z.infer<typeof WorkflowSchema>;

/** A workflow version, as `GET /api/agent-workflows/[id]/versions` answers it. */
export const WorkflowVersionSchema = z.strictObject({
  id: z.int().positive(),
  workflowId: z.int(),
  version: z.int(),
  contentHash: z.string(),
  definition: JsonObjectSchema,
  /** The closure: versions of the workflows it called when it was published, by `<kind>:<id>`. */
  calls: z.record(z.string(), z.int().positive()).nullable(),
  description: z.string().nullable(),
  /** Permissions that its runs may use, if who starts them has them too: those that its steps need, as far as its publisher had them. */
  granted: z.array(z.string()),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
});
export type WorkflowVersion = z.infer<typeof WorkflowVersionSchema>;

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = {
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  canary: z.unknown().optional(),
  createdBy: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};

const writable = {
  name: z.string().trim().min(1).max(200),
  slug: SlugSchema.optional(),
  description: z.string().max(10_000).nullish(),
  definition: JsonObjectSchema,
  enabled: z.boolean().optional(),
  /** New workflows without it take those of the definition's `meta.tags`, as exports carry them. */
  tags: TagsSchema.optional(),
  agentConfig: AgentConfigSchema.nullish(),
  memoryConfig: MemoryConfigSchema.nullish(),
  mcpExport: z.boolean().optional(),
  /** Why this version; shown in the history. */
  note: z.string().max(2_000).optional(),
};

/** The body of `POST /api/agent-workflows` and `POST /api/workflows`. */
export const CreateWorkflowSchema = z.strictObject({ ...writable, ...readOnly, version: z.unknown().optional() });
export type CreateWorkflow = z.infer<typeof CreateWorkflowSchema>;

/** What an import rewrote: where in the document, and by which rule. */
export const DefinitionChangeSchema = z.strictObject({ path: z.string(), rule: z.string() });
export type DefinitionChange = z.infer<typeof DefinitionChangeSchema>;

/** An imported workflow, as `POST /api/agent-workflows/import` answers it. */
export const ImportedWorkflowSchema = WorkflowSchema.extend({ changes: z.array(DefinitionChangeSchema) });

/** `version`, when sent, must be the current one. */
export const UpdateWorkflowSchema = z.strictObject({
  ...writable,
  name: writable.name.optional(),
  definition: writable.definition.optional(),
  version: z.int().positive().optional(),
  /** The draft that is published with this: it is removed, unless somebody has saved a newer one. */
  draftRevision: z.int().positive().max(2_147_483_647).optional(),
  ...readOnly,
});
export type UpdateWorkflow = z.infer<typeof UpdateWorkflowSchema>;

/** The formats of `GET …workflows/[id]/export`. */
export const ExportFormatSchema = z.enum(["xstate", "typescript", "mermaid"]);
export type ExportFormat = z.infer<typeof ExportFormatSchema>;

/** The body of `POST …/[id]/compile`: a definition to compile in place of the published one. */
export const CompileBodySchema = z.strictObject({ definition: JsonObjectSchema.optional() });
export type CompileBody = z.infer<typeof CompileBodySchema>;

/** What a definition compiles to. */
export const CompiledWorkflowSchema = z.strictObject({
  contentHash: z.string(),
  /** For XState's `createMachine`. */
  xstate: JsonObjectSchema,
  /** A module for XState. */
  typescript: z.string(),
  mermaid: z.string(),
  /** Every state, those that composites expand to included. */
  states: z.array(z.string()),
});
export type CompiledWorkflow = z.infer<typeof CompiledWorkflowSchema>;
