import { z } from "zod";
import { ScoreNameSchema, ScoreValueSchema } from "./run-score.ts";

const RollbackSchema = z
  .strictObject({
    failurePercent: z.number().min(0).max(100).describe("More failed runs than this end the canary"),
    minRuns: z.int().min(1).max(100_000).describe("So many runs of the candidate must have ended"),
    score: z
      .strictObject({
        name: ScoreNameSchema,
        below: ScoreValueSchema.describe("A lower mean of the candidate's runs than this ends the canary"),
        samples: z.int().min(1).max(100_000).describe("So many scores of this name its runs must have"),
      })
      .optional(),
  })
  .describe("When the canary is ended without a person");

const Callers = z
  .array(z.string().regex(/^(user|key):[1-9]\d{0,14}$/, "user:3 or key:7"))
  .max(200)
  .describe("Only these take the candidate, with all of their runs; empty: a share of all runs does");

/** A version that takes a part of the new runs. */
export const CanarySchema = z.strictObject({
  version: z.int().positive(),
  share: z.number().min(0).max(100).describe("Percent of new runs, where no callers are named"),
  callers: Callers,
  rollback: RollbackSchema.nullable(),
  startedBy: z.int().nullable(),
  startedAt: z.string(),
  stopped: z
    .strictObject({ at: z.string(), why: z.string() })
    .optional()
    .describe("Its rule has stopped it: no new run takes it, and both sides can still be looked at"),
});
export type Canary = z.infer<typeof CanarySchema>;

/** The body of `PUT …workflows/[id]/canary`. */
export const SetCanaryBodySchema = z
  .strictObject({
    version: z.int().positive().optional().describe("A version that was published"),
    draftRevision: z
      .int()
      .positive()
      .max(2_147_483_647)
      .optional()
      .describe("Publishes the draft of this revision as the candidate, without making it live"),
    share: z.number().min(0).max(100).default(10),
    callers: Callers.default([]),
    rollback: RollbackSchema.nullable().default(null),
    note: z.string().max(2_000).optional().describe("To the version that the draft becomes"),
  })
  .refine(
    ({ version, draftRevision }) => (version === undefined) !== (draftRevision === undefined),
    "give one of `version` and `draftRevision`",
  );
export type SetCanaryBody = z.infer<typeof SetCanaryBodySchema>;

const CanarySideSchema = z.strictObject({
  version: z.int(),
  starts: z.int(),
  completed: z.int(),
  failed: z.int(),
  costMicros: z.int(),
  medianMs: z.number().nullable(),
  scores: z.array(z.strictObject({ name: ScoreNameSchema, count: z.int(), mean: z.number() })),
});

/** A canary with what the runs of both versions came to since it began; null: there is none. */
export const CanaryReportSchema = z.strictObject({
  canary: CanarySchema.nullable(),
  live: CanarySideSchema.nullable(),
  candidate: CanarySideSchema.nullable(),
});
export type CanaryReport = z.infer<typeof CanaryReportSchema>;
