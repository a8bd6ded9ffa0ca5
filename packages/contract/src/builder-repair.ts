import { z } from "zod";
import { ProblemSchema } from "./errors.ts";
import { ExecutionStatusSchema } from "./execution.ts";
import { JsonObjectSchema } from "./json.ts";
import { RehearsalVerdictSchema } from "./rehearsal.ts";
import { VersionComparisonSchema } from "./version-comparison.ts";

/** Slug of the agent workflow that repairs others. */
export const REPAIR_WORKFLOW = "builder-repair";
/** Most failed runs that one repair is about. */
export const MAX_REPAIRED_RUNS = 50;
/** How often a proposal may be sent back before the repair is given up. */
export const MAX_REPAIR_ATTEMPTS = 3;

/** The body of `POST /api/builder/repairs`. */
export const StartRepairSchema = z.strictObject({
  runIds: z
    .array(z.int().positive())
    .min(1)
    .max(MAX_REPAIRED_RUNS)
    .describe("Failed runs of one agent workflow that failed in the same way"),
});
export type StartRepair = z.infer<typeof StartRepairSchema>;

/** What `POST /api/builder/repairs` answers: the run that repairs. */
export const StartedRepairSchema = z.strictObject({ executionId: z.int().positive() });
export type StartedRepair = z.infer<typeof StartedRepairSchema>;

/** In which way runs failed; runs with the same three failed in the same way. */
export const RepairedFailureSchema = z.strictObject({
  code: z.string(),
  nodeId: z.string().nullable(),
  /** Without what varies from run to run. */
  message: z.string(),
});
export type RepairedFailure = z.infer<typeof RepairedFailureSchema>;

/** What a failed run comes to on the proposal, found from its recording. */
export const FixVerdictSchema = z
  .enum(["completes", "passes", "same-failure", "fails", "unknown", "no-recording"])
  .describe(
    "completes: it ends as completed. passes: it gets past the step that failed; what follows was never recorded. same-failure: nothing is better. fails: it fails otherwise. unknown: it is not known whether it gets past the step that failed. no-recording: there is none",
  );
export type FixVerdict = z.infer<typeof FixVerdictSchema>;

const FixedRunSchema = z.strictObject({
  executionId: z.int(),
  verdict: FixVerdictSchema,
  /** What is not as it should be, or not known, in words; null: nothing. */
  detail: z.string().nullable(),
});
export type FixedRun = z.infer<typeof FixedRunSchema>;

const DifferingRunSchema = z.strictObject({
  executionId: z.int(),
  verdict: RehearsalVerdictSchema,
  detail: z.string(),
});
export type DifferingRun = z.infer<typeof DifferingRunSchema>;

/** What runs that completed come to on the proposal. */
const PastEvidenceSchema = z.strictObject({
  /** Runs that were gone through. */
  runs: z.int(),
  /** Of them those that come out the same, by the same steps or by others. */
  same: z.int(),
  /** Of them those that come out otherwise on the published version already, in the same way. */
  before: z.int(),
  /** Runs without a recording. */
  skipped: z.int(),
  differing: z.array(DifferingRunSchema),
});
export type PastEvidence = z.infer<typeof PastEvidenceSchema>;

/** What was found of a proposal before a person is asked. Nothing in it is said by a model. */
export const RepairEvidenceSchema = z.strictObject({
  /** Of the proposal that it is about. */
  definitionHash: z.string(),
  attempt: z.int().positive(),
  failed: z.array(FixedRunSchema),
  past: PastEvidenceSchema,
  /** Runs that were given what cases of eval datasets give. */
  datasets: z.array(
    PastEvidenceSchema.extend({ id: z.int(), name: z.string(), casesWithoutRun: z.int() }).describe(
      "An eval dataset of the workflow",
    ),
  ),
  /** Whether there are eval datasets that the repair may read. */
  datasetsRead: z.boolean(),
  /** Warnings of the definition and of policies; with an error it is not proved. */
  problems: z.array(ProblemSchema),
  /** What keeps it from a person, in words; empty: it is proved. */
  wrong: z.array(z.string()),
});
export type RepairEvidence = z.infer<typeof RepairEvidenceSchema>;

/** How far a repair is. */
export const RepairStatusSchema = z
  .enum(["working", "asked", "applied", "rejected", "stale", "refused", "unproved", "ended"])
  .describe(
    "working: a proposal is made and proved. asked: a person decides. applied: it is published. rejected: a person said no. stale: another version was published meanwhile. refused: it may not be published. unproved: there is no repair. ended: its run was cancelled or failed",
  );
export type RepairStatus = z.infer<typeof RepairStatusSchema>;

/** A failed run that was tried again on the repaired version; `as` is null where that was refused. */
export const RetriedRunSchema = z.strictObject({
  id: z.int(),
  as: z.int().nullable(),
  status: ExecutionStatusSchema.nullable(),
  reason: z.string().nullable(),
});
export type RetriedRun = z.infer<typeof RetriedRunSchema>;

/** A repair, as lists show it. */
export const RepairSummarySchema = z.strictObject({
  /** The run that repairs. */
  executionId: z.int().positive(),
  workflowId: z.int().positive(),
  workflowName: z.string(),
  /** The published version that the proposal changes. */
  baseVersion: z.int().positive(),
  failure: RepairedFailureSchema,
  runIds: z.array(z.int()),
  /** It was begun by the workflow's rule, and not by a person. */
  automatic: z.boolean(),
  status: RepairStatusSchema,
  createdAt: z.string(),
});
export type RepairSummary = z.infer<typeof RepairSummarySchema>;

/** A repair, as `GET /api/builder/repairs/[executionId]` answers it. The proposal is shown once it is proved. */
export const RepairSchema = RepairSummarySchema.extend({
  before: JsonObjectSchema,
  after: JsonObjectSchema.nullable(),
  changes: VersionComparisonSchema.omit({ from: true, to: true }).nullable(),
  /** Of the last attempt; null: nothing was tried yet. */
  evidence: RepairEvidenceSchema.nullable(),
  /** What the assistant says of its change. */
  explanation: z.string().nullable(),
  reviewId: z.int().nullable(),
  /** The comment of a person who rejected it, or why it was not published. */
  reason: z.string().nullable(),
  publishedVersion: z.int().nullable(),
  retried: z.array(RetriedRunSchema),
});
export type Repair = z.infer<typeof RepairSchema>;

/** The query of `GET /api/builder/repairs`. */
export const RepairsQuerySchema = z.strictObject({ workflowId: z.coerce.number().int().positive().optional() });
