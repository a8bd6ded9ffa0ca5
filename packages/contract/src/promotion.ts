import { z } from "zod";
import { AgentSettingsSchema } from "./agent.ts";
import { ExecutionKindSchema } from "./execution.ts";
import { SlugSchema } from "./ids.ts";
import { JsonObjectSchema } from "./json.ts";
import { MAX_COLUMNS, NewTableColumnSchema, TableSchema } from "./table.ts";
import { TagsSchema } from "./tags.ts";
import { CreateTriggerSchema } from "./trigger.ts";
import { VersionComparisonSchema } from "./version-comparison.ts";

/** A workflow by what it is called in every installation. */
const WorkflowNameSchema = z.strictObject({ kind: ExecutionKindSchema, slug: SlugSchema });
export type WorkflowName = z.infer<typeof WorkflowNameSchema>;

const named = { name: z.string().trim().min(1).max(200), description: z.string().max(10_000).nullable() };

const PromotedWorkflowSchema = WorkflowNameSchema.extend({
  ...named,
  tags: TagsSchema,
  definition: JsonObjectSchema,
});
export type PromotedWorkflow = z.infer<typeof PromotedWorkflowSchema>;

const PromotedAgentSchema = z.strictObject({
  slug: SlugSchema,
  ...named,
  settings: AgentSettingsSchema.omit({ workflowId: true }),
  /** Slug of the agent workflow it runs; null: a tool loop of its own. */
  workflow: SlugSchema.nullable(),
});
export type PromotedAgent = z.infer<typeof PromotedAgentSchema>;

const PromotedTriggerSchema = CreateTriggerSchema.omit({ target: true, enabled: true }).extend({
  target: WorkflowNameSchema,
});
export type PromotedTrigger = z.infer<typeof PromotedTriggerSchema>;

/** The columns of a table; rows stay where they are. */
const PromotedTableSchema = z.strictObject({
  slug: SlugSchema,
  name: TableSchema.shape.name,
  description: TableSchema.shape.description,
  columns: z.array(NewTableColumnSchema).max(MAX_COLUMNS),
  unique: TableSchema.shape.unique,
});
export type PromotedTable = z.infer<typeof PromotedTableSchema>;

function isEachOnce(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/**
 * A workflow with what it calls, for another installation: rows by their slugs, everything else by its name. What belongs to an
 * installation alone is not in it: values of secrets, addresses of triggers, and whether something is switched on.
 */
export const PromotionFileSchema = z.strictObject({
  format: z.literal("oven-promotion"),
  version: z.literal(1),
  root: WorkflowNameSchema,
  /** By kind and slug. */
  workflows: z
    .array(PromotedWorkflowSchema)
    .min(1)
    .max(500)
    .refine((all) => isEachOnce(all.map(({ kind, slug }) => `${kind}:${slug}`)), "a workflow stands in it twice"),
  agents: z
    .array(PromotedAgentSchema)
    .max(500)
    .refine((all) => isEachOnce(all.map(({ slug }) => slug)), "an agent stands in it twice"),
  triggers: z.array(PromotedTriggerSchema).max(500),
  /** Those that refer to others after these. One that is not here is made; one that is stays as it is. */
  tables: z
    .array(PromotedTableSchema)
    .max(100)
    .refine((all) => isEachOnce(all.map(({ slug }) => slug)), "a table stands in it twice")
    .default([]),
});
export type PromotionFile = z.infer<typeof PromotionFileSchema>;

/** What may be called otherwise in another installation. */
export const MappedKindSchema = z.enum([
  "workflow",
  "agent-workflow",
  "agent",
  "model",
  "secret",
  "tool",
  "connection",
  "vector-store",
  "table",
]);
export type MappedKind = z.infer<typeof MappedKindSchema>;

/** What a file names: node types and configuration keys are called the same everywhere. */
export const ReferenceKindSchema = z.enum([...MappedKindSchema.options, "node", "config"]);
export type ReferenceKind = z.infer<typeof ReferenceKindSchema>;

/** By kind: a name in the file → what it is called here. */
export const PromotionMappingSchema = z.partialRecord(
  MappedKindSchema,
  z.record(z.string().min(1).max(200), z.string().min(1).max(200)),
);
export type PromotionMapping = z.infer<typeof PromotionMappingSchema>;

/** The body of `POST /api/promotions/plan`. */
export const PlanPromotionSchema = z.strictObject({
  file: PromotionFileSchema,
  mapping: PromotionMappingSchema.default({}),
  publish: z
    .boolean()
    .default(true)
    .describe("false: workflows that are here get a draft; agents and triggers that are here stay as they are"),
});
export type PlanPromotion = z.infer<typeof PlanPromotionSchema>;

/** The body of `POST /api/promotions/apply`. */
export const ApplyPromotionSchema = PlanPromotionSchema.extend({
  digest: z.string().describe("Of the plan that was shown: anything else is refused"),
  allowMissing: z.boolean().default(false).describe("Whether to go on although something that is named is not here"),
});
export type ApplyPromotion = z.infer<typeof ApplyPromotionSchema>;

const PromotedItemSchema = z.strictObject({
  kind: z.enum(["workflow", "agent-workflow", "agent", "trigger"]),
  /** The slug, or the name of a trigger. */
  name: z.string(),
  /** The slug of the workflow that a trigger starts. */
  of: z.string().nullable(),
  /** `mapped`: the caller named one that is here, and the file's is left out; `kept`: here, and not to be published over. */
  change: z.enum(["create", "update", "draft", "same", "mapped", "kept"]),
  /** The row that is here. */
  current: z.strictObject({ id: z.int().positive(), version: z.int().positive().nullable() }).nullable(),
  /** The changed states and settings of a workflow that changes. */
  definition: VersionComparisonSchema.omit({ from: true, to: true }).nullable(),
  /** What else changes. */
  fields: VersionComparisonSchema.shape.settings,
});
export type PromotedItem = z.infer<typeof PromotedItemSchema>;

const PromotedReferenceSchema = z.strictObject({
  kind: ReferenceKindSchema,
  /** As in the file. */
  name: z.string(),
  /** Names of the file's items that name it. */
  usedBy: z.array(z.string()),
  state: z.enum(["included", "found", "mapped", "missing"]),
  /** What it is called here. */
  to: z.string(),
  fix: z.string().nullable(),
});
export type PromotedReference = z.infer<typeof PromotedReferenceSchema>;

/** A promotion plan, as `POST /api/promotions/plan` answers it. */
export const PromotionPlanSchema = z.strictObject({
  digest: z.string(),
  items: z.array(PromotedItemSchema),
  references: z.array(PromotedReferenceSchema),
  /** Names that are here, by kind, as far as the caller may see them. */
  choices: z.partialRecord(MappedKindSchema, z.array(z.string())),
  /** How many references are missing. */
  missing: z.int().nonnegative(),
});
export type PromotionPlan = z.infer<typeof PromotionPlanSchema>;

/** What was done: the plan, with the rows as they are now. */
export const PromotionReportSchema = PromotionPlanSchema.pick({ items: true, references: true, missing: true }).extend({
  root: WorkflowNameSchema.extend({ id: z.int().positive() }),
});
export type PromotionReport = z.infer<typeof PromotionReportSchema>;

/** A workflow that a file cannot hold, and why. */
const NotExportedSchema = WorkflowNameSchema.extend({ message: z.string() });

/**
 * Everything of a tenant that promotion covers, as `GET /api/promotions/everything` answers it: each item once, by slugs, sorted.
 */
export const PromotedEverythingSchema = z.strictObject({
  workflows: z.array(PromotedWorkflowSchema),
  agents: z.array(PromotedAgentSchema),
  triggers: z.array(PromotedTriggerSchema),
  tables: z.array(PromotedTableSchema),
  notExported: z.array(NotExportedSchema),
  /** Kinds that the caller may not read: nothing of them is in it, and what names them has their ids. */
  withheld: z.array(z.enum(["workflow", "agent-workflow", "agent", "trigger", "table"])),
});
export type PromotedEverything = z.infer<typeof PromotedEverythingSchema>;

/** An agent in a folder that is in step with an installation. */
export const AgentFileSchema = z.strictObject({
  format: z.literal("oven-agent"),
  version: z.literal(1),
  agent: PromotedAgentSchema,
});
export type AgentFile = z.infer<typeof AgentFileSchema>;

/** The columns of a table in a folder that is in step with an installation. */
export const TableFileSchema = z.strictObject({
  format: z.literal("oven-table"),
  version: z.literal(1),
  table: PromotedTableSchema,
});
export type TableFile = z.infer<typeof TableFileSchema>;

/** A file of such a folder: what its `format` says. */
export const PromotedFileSchema = z.discriminatedUnion("format", [
  PromotionFileSchema,
  AgentFileSchema,
  TableFileSchema,
]);
export type PromotedFile = z.infer<typeof PromotedFileSchema>;
