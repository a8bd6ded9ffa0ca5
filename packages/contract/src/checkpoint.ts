import { z } from "zod";
import { GuardSchema } from "./definition.ts";
import { CheckpointSchema } from "./execution.ts";
import { JsonObjectSchema, JsonPatchOpSchema, JsonSchema } from "./json.ts";

/** A place in a recorded run: after one move of it. `seq` is the last entry of its log by then. */
export const RunCheckpointSchema = z.strictObject({
  seq: z.int().positive(),
  at: z.string(),
  /** What the move was made of. */
  cause: z.enum([
    "start",
    "seed",
    "done",
    "wait",
    "failed",
    "starting",
    "signal",
    "clock",
    "takeover",
    "resumed",
    "migrated",
  ]),
  nodeId: z.string().nullable(),
  visit: z.int().nullable(),
  item: z.string().nullable(),
  activeStates: z.array(z.string()),
  steps: z.int(),
  /** Set at the end of the run. */
  end: z.enum(["completed", "failed", "cancelled"]).nullable(),
});
export type RunCheckpoint = z.infer<typeof RunCheckpointSchema>;

/** A run as it stood at a checkpoint. */
export const RunCheckpointDetailSchema = RunCheckpointSchema.extend({
  context: JsonObjectSchema,
  stateValue: JsonSchema,
  waiting: CheckpointSchema.shape.waiting,
  /** What the move changed in the context; RFC 6902, outputs of nodes as `add`. */
  patch: z.array(JsonPatchOpSchema),
});
export type RunCheckpointDetail = z.infer<typeof RunCheckpointDetailSchema>;

/** The body of `POST …-executions/[id]/evaluate`. */
export const EvaluateBodySchema = z
  .strictObject({
    value: JsonSchema.optional().describe("A path, template, {$cel} or anything that holds some"),
    guard: GuardSchema.optional().describe("A condition"),
    guards: z.array(GuardSchema).min(1).max(50).optional().describe("Conditions of branches, in their order"),
    checkpoint: z.int().positive().optional().describe("seq of a checkpoint; left out, the last one"),
    state: z.string().optional().describe("Where it stands: what a loop around the state gives is read, too"),
    after: z.enum(["done"]).optional().describe("In a condition after the state, which sees `output`"),
  })
  .refine(
    ({ value, guard, guards }) => [value, guard, guards].filter((given) => given !== undefined).length === 1,
    "give one of `value`, `guard` and `guards`",
  );
export type EvaluateBody = z.infer<typeof EvaluateBodySchema>;

const computed = {
  value: JsonSchema.optional(),
  problem: z.strictObject({ message: z.string(), fix: z.string().nullable() }).nullable(),
};

/** What an expression came to over the context of a run; `problem` instead of a value where it came to none. */
export const EvaluationSchema = z.strictObject({
  seq: z.int().positive(),
  ...computed,
  /** The result of each entry of `guards`. */
  results: z.array(z.strictObject(computed)).optional(),
});
export type Evaluation = z.infer<typeof EvaluationSchema>;

const version = z
  .union([z.int().positive(), z.literal("current")])
  .optional()
  .describe("The version of the workflow to go on with; left out, the one of the run");

/** The body of `POST …-executions/[id]/retry`. */
export const RetryBodySchema = z.strictObject({
  version: z
    .union([z.int().positive(), z.enum(["current", "draft"])])
    .optional()
    .describe("The version of the workflow to go on with, or its draft; left out, the one of the run"),
  revision: z.int().positive().optional().describe("With `draft`: the revision that is meant; left out, the newest"),
  nodeId: z.string().optional().describe("The step to go on from; left out, the one that failed"),
});
export type RetryBody = z.infer<typeof RetryBodySchema>;

/** The body of `POST …-executions/[id]/fork`. */
export const ForkBodySchema = z.strictObject({
  checkpoint: z.int().positive().describe("seq of a checkpoint"),
  patch: z.array(JsonPatchOpSchema).max(1_000).optional().describe("Changes to the context; RFC 6902"),
  version,
});
export type ForkBody = z.infer<typeof ForkBodySchema>;

/** The body of `POST …-executions/redrive`: failed runs that are to be tried again. */
export const RedriveBodySchema = z.strictObject({
  ids: z.array(z.int().positive()).min(1).max(100).optional(),
  /** Id or slug: its failed runs that were not tried again yet, oldest first. */
  workflow: z.union([z.string().min(1), z.int().positive()]).optional(),
  /** Error code, such as `NODE_LOST`. */
  code: z.string().optional(),
  limit: z.int().min(1).max(100).default(100),
  version,
});
export type RedriveBody = z.infer<typeof RedriveBodySchema>;

/** A redrive report, as `POST /api/agent-workflow-executions/redrive` answers it. */
export const RedriveReportSchema = z.strictObject({
  retried: z.array(z.strictObject({ id: z.int(), as: z.int() })),
  refused: z.array(z.strictObject({ id: z.int(), code: z.string(), message: z.string() })),
});
export type RedriveReport = z.infer<typeof RedriveReportSchema>;

/** Whether a run can go on with another version, from where a retry would begin. */
export const CompatibilityReportSchema = z.strictObject({
  /** Below zero: the draft of that revision. */
  version: z.int(),
  checkpoint: z.int().positive().nullable(),
  compatible: z.boolean(),
  problems: z.array(z.strictObject({ stateId: z.string(), message: z.string() })),
  /** States that are not as they were, and have run already: they are not run again. */
  changed: z.array(z.string()),
});
export type CompatibilityReport = z.infer<typeof CompatibilityReportSchema>;

/** A recorded run gone through again, move by move. */
export const ReplayReportSchema = z.strictObject({
  moves: z.int().nonnegative(),
  lastSeq: z.int().nonnegative(),
  same: z.boolean(),
  /** Where it first came out differently. */
  divergence: z.strictObject({ seq: z.int(), recorded: JsonSchema, happened: JsonSchema }).nullable(),
});
export type ReplayReport = z.infer<typeof ReplayReportSchema>;
