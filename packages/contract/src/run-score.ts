import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";

/** What a score is about, such as `thumbs`, `outcome`, or the name of a judge. */
export const ScoreNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9._-]{0,59}$/, "a lower-case name such as thumbs, outcome or tone");

/** The name of what thumbs in a chat and on the page of a run say. */
export const THUMBS = "thumbs";

/** From 0, as bad as can be, to 1, as good as can be: a mean of thumbs is then the share of those that are up, as with evaluations and judges. */
export const ScoreValueSchema = z.number().min(0).max(1);

const comment = z.string().trim().max(2_000).nullable();

/** By which way a score came in: it is found out, never given. `event` is a workflow, such as one that an event or webhook starts. */
export const ScoreSourceSchema = z.enum(["person", "api", "mcp", "judge", "event"]);
export type ScoreSource = z.infer<typeof ScoreSourceSchema>;

/** The body of `POST …-executions/[id]/scores`. */
export const NewRunScoreSchema = z.strictObject({
  name: ScoreNameSchema,
  value: ScoreValueSchema,
  comment: comment.optional(),
});
export type NewRunScore = z.infer<typeof NewRunScoreSchema>;

/** The body of `POST workflows/[id]/scores`: the run is named by a value of its input, as one outside of OVEN knows it. */
export const NewOutcomeSchema = NewRunScoreSchema.extend({
  correlation: z
    .strictObject({
      field: z
        .string()
        .max(200)
        .regex(/^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/, "a field of the input such as orderId or order.id")
        .describe("A field of the run's input: `orderId`, or `order.id` of an object in it"),
      value: z.union([z.string().min(1).max(500), z.int()]).describe("What that field has"),
    })
    .describe("Names the newest run of the workflow whose input has this value"),
});
export type NewOutcome = z.infer<typeof NewOutcomeSchema>;

/** A score of a run, as `GET …-executions/[id]/scores` answers it. */
export const RunScoreSchema = z.strictObject({
  id: z.int().positive(),
  executionId: z.int().positive(),
  executionKind: ExecutionKindSchema,
  name: z.string(),
  value: z.number(),
  comment: z.string().nullable(),
  source: ScoreSourceSchema,
  /** Who or what gave it: `user:3`, `api-key:5`, `agent-workflow:7`, `judge:2`. One of them has one score of a name. */
  scorer: z.string(),
  scorerName: z.string().nullable().describe("The name of the person, where it is one"),
  mine: z.boolean().describe("Whether the caller gave it, and so may take it back"),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type RunScore = z.infer<typeof RunScoreSchema>;

/** The query of `GET workflows/[id]/scores`. */
export const ScoreSummaryQuerySchema = z.object({
  /** How far back runs have begun. */
  days: z.coerce.number().int().min(1).max(366).default(30),
});

/** What the scores of one name say of the runs of one version that began on one day (UTC). */
export const ScoreSummarySchema = z.strictObject({
  name: z.string(),
  version: z.int(),
  /** `2026-03-02`. */
  day: z.string(),
  count: z.int().positive(),
  mean: z.number(),
  /** How many are above the middle, and below it. */
  up: z.int().nonnegative(),
  down: z.int().nonnegative(),
});
export type ScoreSummary = z.infer<typeof ScoreSummarySchema>;
