import { z } from "zod";
import { IdOrSlugSchema } from "./ids.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";

/** Most past runs that one request goes through. */
export const MAX_REHEARSED = 200;

/** What may be spent on models that are really asked. */
export const LiveBudgetSchema = z.strictObject({
  maxCostMicros: z
    .int()
    .positive()
    .max(1_000_000_000)
    .describe("10⁻⁶ USD. No call begins once that much is spent; the one that goes beyond it is the last"),
  maxCalls: z.int().min(1).max(500).default(100),
});

/** The body of `POST …workflows/[id]/rehearse`. */
export const RehearseBodySchema = z.strictObject({
  definition: JsonObjectSchema.optional().describe(
    "What is tried; left out, the draft, or without one the published version",
  ),
  limit: z.int().min(1).max(MAX_REHEARSED).default(50).describe("How many past runs, the newest first"),
  before: z.int().positive().optional().describe("Only runs with a smaller id: `next` of the answer before"),
  status: z
    .enum(["all", "completed", "failed"])
    .default("all")
    .describe("Only runs that ended so; cancelled ones are among all"),
  dataset: IdOrSlugSchema.optional().describe("Only runs that were given what a case of this eval dataset gives"),
  live: LiveBudgetSchema.optional().describe(
    "Ask models where no answer was recorded, for at most so much; tools and effects stay recorded. Needs the permission to run the workflow",
  ),
});
export type RehearseBody = z.infer<typeof RehearseBodySchema>;

const EndSchema = z.strictObject({
  status: z.enum(["completed", "failed", "cancelled"]),
  outcome: z.string().nullable(),
  /** The beginning of its output, as JSON. */
  output: z.string(),
  error: z.string().nullable().describe("The code of its error"),
});

const CallSchema = z.strictObject({
  nodeId: z.string(),
  visit: z.int(),
  item: z.string().nullable(),
  /** The node type, or the tool. */
  src: z.string(),
  /** The beginning of its input, as JSON. */
  input: z.string(),
});

export const RehearsalVerdictSchema = z
  .enum(["same", "outcome", "calls", "path", "unknown"])
  .describe(
    "same: nothing differs. outcome: it ends otherwise. calls: it ends the same after other calls. path: only other steps. unknown: an answer that was not recorded decides",
  );
export type RehearsalVerdict = z.infer<typeof RehearsalVerdictSchema>;

const UnknownReasonSchema = z
  .enum([
    "new-call",
    "no-answer",
    "other-review",
    "no-decision",
    "no-event",
    "too-large",
    "too-long",
    "live-budget",
    "live-failed",
  ])
  .describe(
    "new-call: no recorded call is like this one. no-answer: the recorded call had none. other-review: people would have been shown something else. no-decision: it was not decided. no-event: what it waits for did not come. too-large: an output too large to be computed here. too-long: too many moves. live-budget: what may be spent on asking models is spent. live-failed: the model was asked and gave no answer",
  );
export type UnknownReason = z.infer<typeof UnknownReasonSchema>;

/** One past run, gone through on another definition with what was recorded of it. */
export const RehearsedRunSchema = z.strictObject({
  executionId: z.int(),
  workflowVersion: z.int(),
  endedAt: z.string().nullable(),
  verdict: RehearsalVerdictSchema,
  unknown: z.strictObject({ reason: UnknownReasonSchema, nodeId: z.string().nullable() }).nullable(),
  /** Set where it ends otherwise. */
  end: z.strictObject({ was: EndSchema.nullable(), is: EndSchema.nullable() }).nullable(),
  calls: z.strictObject({ added: z.array(CallSchema), missing: z.array(CallSchema) }),
  /** `<step> <visit>` each. */
  steps: z.strictObject({ added: z.array(z.string()), missing: z.array(z.string()) }),
  /** What comes on top; below zero: what is saved. */
  tokens: z.int(),
  costMicros: z.int(),
  durationMs: z.int(),
  /** Tells what differs apart from anything else: SHA-256 (hex). */
  digest: z.string(),
  /** A person has looked at this difference, on this definition. Of a run that comes out the same: false. */
  seen: z.boolean(),
});
export type RehearsedRun = z.infer<typeof RehearsedRunSchema>;

/** What past runs of a workflow come to on a changed definition. */
export const RehearsalSchema = z.strictObject({
  counts: z.strictObject({
    same: z.int(),
    outcome: z.int(),
    calls: z.int(),
    path: z.int(),
    unknown: z.int(),
    /** Runs without a recording. */
    skipped: z.int(),
  }),
  runs: z.array(RehearsedRunSchema),
  /** Those without a recording, and why: the code of an error. */
  skipped: z.array(z.strictObject({ executionId: z.int(), reason: z.string() })),
  /** For `before`, when there are older runs. */
  next: z.int().nullable(),
  /** What there is of the runs that ended, as far as it is asked for. */
  recordings: z.strictObject({
    /** When the oldest run began that has a recording still; null: none has. */
    since: z.string().nullable(),
    /** Runs whose recording was removed, because it was old. */
    removed: z.int(),
  }),
  /** What was spent on models that were really asked; null: none was to be asked. */
  live: z.strictObject({ calls: z.int(), costMicros: z.int() }).nullable(),
  /** Cases of the dataset that no run was ever given; null: no dataset was named. */
  casesWithoutRun: z.int().nullable(),
});
export type Rehearsal = z.infer<typeof RehearsalSchema>;

/** The body of `POST …workflows/[id]/rehearse/[executionId]`. */
export const RehearseRunBodySchema = z.strictObject({
  definition: RehearseBodySchema.shape.definition,
});
export type RehearseRunBody = z.infer<typeof RehearseRunBodySchema>;

/** What one call of a step was given and what it gave. */
const SideSchema = z.strictObject({
  /** The node type, or the tool. */
  src: z.string(),
  /** Of a large one the beginning of its JSON. */
  input: JsonSchema,
  /** Of a large one the beginning of its JSON. */
  output: JsonSchema,
  status: z.enum(["running", "completed", "failed", "cancelled", "skipped"]),
  error: z.string().nullable().describe("The code of its error"),
  live: z.boolean().describe("A model was really asked, because no answer was recorded"),
  tokens: z.int(),
  costMicros: z.int(),
  durationMs: z.int().nullable(),
});
export type StepSide = z.infer<typeof SideSchema>;

/** A step of the recorded run and of the rehearsed one beside each other. */
export const StepPairSchema = z.strictObject({
  /** The steps of loops in whose passes it is, from the outside: `<step> <visit> <item>`. */
  within: z.array(z.string()),
  nodeId: z.string(),
  visit: z.int(),
  item: z.string().nullable(),
  change: z
    .enum(["same", "changed", "added", "missing", "unknown"])
    .describe("added: only in the rehearsed run. missing: only in the recorded one. unknown: not known from there on"),
  /** What differs of a step that both have. */
  differs: z.array(z.enum(["type", "input", "output", "end"])),
  was: SideSchema.nullable(),
  is: SideSchema.nullable(),
});
export type RehearsedStepPair = z.infer<typeof StepPairSchema>;

/** A past run and what it comes to on a changed definition, step by step. */
export const RehearsedSidesSchema = z.strictObject({
  run: RehearsedRunSchema,
  /** How both ended, whether it differs or not. */
  ends: z.strictObject({ was: EndSchema.nullable(), is: EndSchema.nullable() }),
  pairs: z.array(StepPairSchema),
  /** Steps that are left out, because an answer can hold so many only. */
  more: z.int(),
  /** The revision of the draft that was tried; null: a definition that was sent, or the published one. */
  draftRevision: z.int().nullable(),
  /** Who has looked at this difference, on this definition. */
  seenBy: z.array(
    z.strictObject({ userId: z.int(), userName: z.string().nullable(), at: z.string(), draftRevision: z.int() }),
  ),
});
export type RehearsedSides = z.infer<typeof RehearsedSidesSchema>;

/** The body of `POST …workflows/[id]/rehearse/[executionId]/seen`: what was shown. */
export const SeenDifferenceSchema = z.strictObject({
  draftRevision: z.int().positive(),
  digest: z.string().length(64),
});
export type SeenDifference = z.infer<typeof SeenDifferenceSchema>;
