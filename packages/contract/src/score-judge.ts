import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";
import { IdSchema } from "./ids.ts";
import { ScoreNameSchema } from "./run-score.ts";

const fields = {
  /** The name of its scores. */
  name: ScoreNameSchema,
  rubric: z.string().trim().min(1).max(20_000),
  /** What of the output is judged: `$`, or a part such as `$.reply`. */
  path: z.string().min(1).max(1_000).regex(/^\$/, "a path such as $.reply"),
  /** An alias or `providerId:modelId`. */
  model: z.string().min(1).max(200),
  /** How many of a hundred completed runs are judged. Which ones, their ids decide. */
  percent: z.number().gt(0).max(100),
  /** In 24 hours it judges no more runs than this. */
  maxPerDay: z.int().min(1).max(100_000),
  enabled: z.boolean(),
};

/** A model that scores a sample of a workflow's completed runs, as `GET /api/score-judges/[id]` answers it. */
export const ScoreJudgeSchema = z.strictObject({
  id: IdSchema,
  target: z.strictObject({ kind: ExecutionKindSchema, id: IdSchema }),
  ...fields,
  /** Of the last 24 hours: runs that it has scored, that wait for it, and that it could not score. */
  today: z.strictObject({ scored: z.int(), waiting: z.int(), failed: z.int() }),
  /** Why it could not score a run the last time that it could not. */
  lastError: z.strictObject({ code: z.string(), message: z.string(), executionId: z.int() }).nullable(),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ScoreJudge = z.infer<typeof ScoreJudgeSchema>;

/** The body of `POST /api/score-judges`. */
export const NewScoreJudgeSchema = z.strictObject({
  target: z.strictObject({ kind: ExecutionKindSchema, id: z.union([IdSchema, z.string().min(1).max(63)]) }),
  name: fields.name,
  rubric: fields.rubric,
  path: fields.path.default("$"),
  model: fields.model.default("fast"),
  percent: fields.percent.default(10),
  maxPerDay: fields.maxPerDay.default(100),
  enabled: fields.enabled.default(true),
});
export type NewScoreJudge = z.infer<typeof NewScoreJudgeSchema>;

/** The body of `PUT /api/score-judges/[id]`; what it judges stays. */
export const UpdateScoreJudgeSchema = z.strictObject({
  rubric: fields.rubric.optional(),
  path: fields.path.optional(),
  model: fields.model.optional(),
  percent: fields.percent.optional(),
  maxPerDay: fields.maxPerDay.optional(),
  enabled: fields.enabled.optional(),
  id: z.unknown().optional(),
  name: z.unknown().optional(),
  target: z.unknown().optional(),
  today: z.unknown().optional(),
  lastError: z.unknown().optional(),
  createdBy: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});
export type UpdateScoreJudge = z.infer<typeof UpdateScoreJudgeSchema>;
