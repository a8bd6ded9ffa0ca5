import { z } from "zod";
import { RunOptionsSchema } from "./execution.ts";
import { JsonObjectSchema } from "./json.ts";

/** What editors of a workflow work on together, beside the published version. It need not be a valid definition. */
export const WorkflowDraftSchema = z.strictObject({
  /** Grows with every save and never starts again. */
  revision: z.int().positive(),
  updatedAt: z.string(),
  /** The user. */
  updatedBy: z.int().nullable(),
  /** The published version that it was begun from, or merged with last. */
  baseVersion: z.int().positive(),
  definition: JsonObjectSchema,
});
export type WorkflowDraft = z.infer<typeof WorkflowDraftSchema>;

/** Of `PUT …/[id]/draft`. */
export const SaveDraftSchema = z.strictObject({
  definition: JsonObjectSchema,
  baseVersion: z.int().positive().max(2_147_483_647),
  revision: z
    .int()
    .nonnegative()
    .max(2_147_483_647)
    .describe("The revision that is replaced; 0: there is no draft yet"),
});
export type SaveDraft = z.infer<typeof SaveDraftSchema>;

/** Of `POST …/[id]/draft/execute`. */
export const ExecuteDraftSchema = RunOptionsSchema.pick({
  from: true,
  until: true,
  pins: true,
  dryRun: true,
  recordingOf: true,
  maxTokens: true,
  maxCostMicros: true,
}).extend({
  input: JsonObjectSchema.default({}),
  revision: z.int().positive().optional().describe("The revision that is to run; left out, the newest"),
});
export type ExecuteDraft = z.infer<typeof ExecuteDraftSchema>;

/** What `triggerEvent` says of a run of a draft. Its `workflowVersion` is the draft's revision, below zero. */
export const TEST_RUN = "test";
