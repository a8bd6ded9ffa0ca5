import { z } from "zod";
import { ProblemSchema } from "./errors.ts";
import { ExecutionKindSchema } from "./execution.ts";
import { SlugSchema } from "./ids.ts";
import { JsonObjectSchema } from "./json.ts";
import { WorkflowSchema } from "./workflow.ts";
import { FormatSourceSchema } from "./workflow-format.ts";

/** Somewhere in an imported document: a path such as `$.nodes[2].parameters`, and where in the text that is, from 1. */
const place = { path: z.string(), line: z.int().positive(), column: z.int().positive() };

/**
 * What became of an element: `mapped`, `noted` (mapped, but read the notes), `placeholder` (nothing stands for it: it must be
 * replaced before the workflow validates), `ignored` (left out, and why).
 */
export const ImportOutcomeSchema = z.enum(["mapped", "noted", "placeholder", "ignored"]);
export type ImportOutcome = z.infer<typeof ImportOutcomeSchema>;

/** What became of one part of an imported document. */
export const ImportedElementSchema = z.strictObject({
  name: z.string(),
  /** As the other product calls it. */
  type: z.string(),
  outcome: ImportOutcomeSchema,
  /** The state that stands for it; null: none does. */
  state: z.string().nullable(),
  notes: z.array(z.string()),
  ...place,
});
export type ImportedElement = z.infer<typeof ImportedElementSchema>;

/** What a document names but cannot bring along, and somebody has to set here. */
export const ImportSettingSchema = z.strictObject({
  kind: z.enum(["credential", "model", "trigger", "configuration", "tool", "knowledge", "workflow"]),
  name: z.string(),
  advice: z.string(),
  ...place,
});
export type ImportSetting = z.infer<typeof ImportSettingSchema>;

/** What an import took over, changed and left out. */
export const ImportReportSchema = z.strictObject({
  elements: z.array(ImportedElementSchema),
  settings: z.array(ImportSettingSchema),
  /** What holds for the document as a whole. */
  notes: z.array(z.string()),
});
export type ImportReport = z.infer<typeof ImportReportSchema>;

/** A document of another product as a draft of a definition. Nothing is stored. */
export const ReadImportSchema = z.strictObject({
  /** Id of the product, as its importer declares it: `n8n`. */
  product: z.string(),
  /** The product's name as people write it. */
  productTitle: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  definition: JsonObjectSchema,
  /** What keeps the definition from being published. */
  problems: z.array(ProblemSchema),
  report: ImportReportSchema,
});
export type ReadImport = z.infer<typeof ReadImportSchema>;

/** The body of `POST /api/workflow-imports`. */
export const CreateFromImportSchema = FormatSourceSchema.extend({
  kind: ExecutionKindSchema.default("agent-workflow"),
  name: z.string().trim().min(1).max(200).optional().describe("Left out, the document's own"),
  slug: SlugSchema.optional(),
});
export type CreateFromImport = z.infer<typeof CreateFromImportSchema>;

/** The import that made a workflow, as `GET /api/workflow-imports` answers it. */
export const StoredImportSchema = z.strictObject({
  kind: ExecutionKindSchema,
  workflowId: z.int().positive(),
  /** Id of the product: `n8n`. */
  product: z.string(),
  /** The product's name as people write it. */
  productTitle: z.string(),
  /** Of a very long one, the elements that were taken over without a note are left out. */
  report: ImportReportSchema,
  /** What steps were set to in the other product, by the id of the state that was a placeholder for each; without secrets. */
  originals: JsonObjectSchema,
  createdAt: z.string(),
});
export type StoredImport = z.infer<typeof StoredImportSchema>;

/** The query of `GET /api/workflow-imports`. */
export const StoredImportQuerySchema = z.strictObject({
  kind: ExecutionKindSchema.default("agent-workflow"),
  workflowId: z.coerce.number().int().positive(),
});

/** The new workflow and the report of its import, as `POST /api/workflow-imports` answers them. */
export const CreatedFromImportSchema = z.strictObject({
  workflow: WorkflowSchema,
  /** Whether the definition could not be published and is the workflow's draft; what is published then only fails and says so. */
  draft: z.boolean(),
  problems: z.array(ProblemSchema),
  report: ImportReportSchema,
});
export type CreatedFromImport = z.infer<typeof CreatedFromImportSchema>;
