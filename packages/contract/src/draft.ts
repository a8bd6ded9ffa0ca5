import { z } from "zod";
import { RunOptionsSchema } from "./execution.ts";
import { type JsonObject, JsonObjectSchema } from "./json.ts";

/** What a workflow is created with whose first document is a draft: a published version is always one that can run. */
export const FIRST_VERSION: JsonObject = { initial: "done", states: { done: { type: "final" } } };

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

/** The body of `PUT …/[id]/draft`. */
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

/**
 * What a user says to the draft, as a turn of a test conversation: the run's input gets `message` and `messages`, as the bound
 * workflow of an agent does.
 */
export const DraftTurnSchema = z.strictObject({
  message: z.string().min(1).max(1_000_000),
  sessionId: z
    .int()
    .negative()
    .optional()
    .describe("The test conversation it belongs to, as the run before said; left out: a new one"),
  agent: z
    .union([z.int().positive(), z.string().min(1)])
    .optional()
    .describe("Id or slug of an agent that runs this workflow: the turn is spoken with its settings and its memory"),
});
export type DraftTurn = z.infer<typeof DraftTurnSchema>;

/** The body of `POST …/[id]/draft/execute`. */
export const ExecuteDraftSchema = RunOptionsSchema.pick({
  from: true,
  until: true,
  items: true,
  pins: true,
  dryRun: true,
  recordingOf: true,
  maxTokens: true,
  maxCostMicros: true,
}).extend({
  input: JsonObjectSchema.default({}),
  revision: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      "The revision that is to run; left out, the newest; 0: there is no draft, and the published version is tested",
    ),
  conversation: DraftTurnSchema.optional(),
});
export type ExecuteDraft = z.infer<typeof ExecuteDraftSchema>;

/**
 * What `triggerEvent` says of a run of a draft. Its `workflowVersion` is the draft's revision, below zero. A test conversation is
 * no session of an agent: its `sessionId` is below zero, too, made of the id of its first run.
 */
export const TEST_RUN = "test";
