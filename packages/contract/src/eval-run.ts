import { z } from "zod";
import { EvalTargetKindSchema, EvalTargetSchema, ExpectationSchema } from "./eval.ts";
import { ExecutionKindSchema } from "./execution.ts";
import { IdSchema } from "./ids.ts";
import { JsonSchema } from "./json.ts";

/** `live` asks models; `record` asks and keeps the answers; `replay` asks nobody. */
export const EvalModeSchema = z.enum(["live", "record", "replay"]);
export type EvalMode = z.infer<typeof EvalModeSchema>;

/** The body of `POST /api/eval-datasets/[id]/run`. */
export const StartEvalRunSchema = z
  .strictObject({
    /** Another workflow or agent of the same kind, instead of the dataset's. */
    target: EvalTargetSchema.shape.id.optional(),
    /** The version of the workflow or agent; absent: the current one. */
    version: z.int().positive().optional(),
    mode: EvalModeSchema.default("live"),
    /** Name of the recording; absent: the dataset's slug. */
    recording: z.string().trim().min(1).max(200).optional(),
    /** How many cases run at once. */
    concurrency: z.int().min(1).max(50).default(4),
    /** Only cases with one of these tags. */
    tags: z.array(z.string().min(1).max(100)).min(1).max(50).optional(),
  })
  .refine(({ mode, recording }) => mode !== "live" || recording === undefined, {
    message: "a live run has no recording",
    path: ["recording"],
  });
export type StartEvalRun = z.infer<typeof StartEvalRunSchema>;

/** How far an evaluation is. */
export const EvalRunStatusSchema = z.enum(["queued", "running", "completed", "cancelled"]);
export type EvalRunStatus = z.infer<typeof EvalRunStatusSchema>;

/** An eval run, as `GET /api/eval-runs/[id]` answers it. */
export const EvalRunSchema = z.strictObject({
  id: IdSchema,
  datasetId: IdSchema,
  target: z.strictObject({ kind: EvalTargetKindSchema, id: IdSchema, version: z.int() }),
  status: EvalRunStatusSchema,
  mode: EvalModeSchema,
  recording: z.string().nullable(),
  concurrency: z.int(),
  allowEffects: z.boolean(),
  /** How many cases it has; the three that follow are of those that have ended. */
  cases: z.int(),
  passed: z.int(),
  failed: z.int(),
  /** Cases that could not be judged. */
  errors: z.int(),
  /** Passed by all, 0 to 1; null while nothing has ended. */
  passRate: z.number().nullable(),
  /** With those of judges. */
  tokens: z.int(),
  costMicros: z.int(),
  /** From start to end. */
  durationMs: z.int().nullable(),
  startedBy: z.int().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type EvalRun = z.infer<typeof EvalRunSchema>;

/** What became of one expectation. */
export const EvalCheckSchema = z.strictObject({
  expectation: ExpectationSchema,
  passed: z.boolean(),
  /** 0 to 1. */
  score: z.number(),
  /** What was looked at. */
  seen: JsonSchema,
  reason: z.string().nullable(),
});
export type EvalCheck = z.infer<typeof EvalCheckSchema>;

/** How one case of an evaluation has gone. */
export const EvalResultStatusSchema = z.enum(["pending", "running", "passed", "failed", "error"]);
export type EvalResultStatus = z.infer<typeof EvalResultStatusSchema>;

/** An eval result, as `GET /api/eval-runs/[id]/results` answers it. */
export const EvalResultSchema = z.strictObject({
  id: IdSchema,
  runId: IdSchema,
  /** Null: the case was deleted since. */
  caseId: z.int().nullable(),
  caseName: z.string(),
  position: z.int(),
  tags: z.array(z.string()),
  status: EvalResultStatusSchema,
  executionKind: ExecutionKindSchema.nullable(),
  executionId: z.int().nullable(),
  input: JsonSchema,
  output: JsonSchema,
  /** The mean of what its expectations scored, 0 to 1. */
  score: z.number().nullable(),
  checks: z.array(EvalCheckSchema),
  /** Why it could not be judged. */
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** With those of judges. */
  tokens: z.int(),
  costMicros: z.int(),
  /** The duration of the case's run. */
  durationMs: z.int().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type EvalResult = z.infer<typeof EvalResultSchema>;

const EvalSummarySchema = z.strictObject({
  passRate: z.number().nullable(),
  score: z.number().nullable(),
  costMicros: z.int(),
  tokens: z.int(),
  p50DurationMs: z.int().nullable(),
  p95DurationMs: z.int().nullable(),
});
export type EvalSummary = z.infer<typeof EvalSummarySchema>;

/** Two runs of a dataset, case by case. */
export const EvalComparisonSchema = z.strictObject({
  a: EvalRunSchema,
  b: EvalRunSchema,
  summary: z.strictObject({ a: EvalSummarySchema, b: EvalSummarySchema }),
  /** What changed comes first. */
  cases: z.array(
    z.strictObject({
      caseName: z.string(),
      change: z.enum(["regressed", "improved", "output", "added", "removed", "same"]),
      a: EvalResultSchema.nullable(),
      b: EvalResultSchema.nullable(),
    }),
  ),
  /** Names of cases that passed in a and did not in b. */
  regressions: z.array(z.string()),
});
export type EvalComparison = z.infer<typeof EvalComparisonSchema>;
