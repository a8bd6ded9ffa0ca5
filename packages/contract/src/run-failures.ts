import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";
import { IdOrSlugSchema } from "./ids.ts";

/** The query of `GET …-executions/failures`. */
export const RunFailuresQuerySchema = z.object({
  /** Id or slug of a workflow; left out: those of all. */
  workflow: IdOrSlugSchema.optional(),
  /** How far back runs have begun. */
  days: z.coerce.number().int().min(1).max(366).default(7),
});
export type RunFailuresQuery = z.infer<typeof RunFailuresQuerySchema>;

/** Failed runs of one workflow that failed in the same way: the same code at the same step with the same message but for what varies. */
export const FailureGroupSchema = z.strictObject({
  workflow: z.strictObject({ kind: ExecutionKindSchema, id: z.int(), name: z.string(), version: z.int() }),
  code: z.string(),
  nodeId: z.string().nullable(),
  /** With `#` for numbers, `<id>` for ids and `…` for what stood in quotes. */
  message: z.string(),
  runs: z.int().positive(),
  /** Of them those that were not tried again yet, at most 1,000 of the newest. */
  open: z.array(z.int()),
  /** The newest run and its message as it was. */
  newest: z.strictObject({ id: z.int(), message: z.string() }),
  firstAt: z.string(),
  lastAt: z.string(),
  /** Versions of the workflow that failed so, the oldest first. */
  versions: z.array(z.int()),
});
export type FailureGroup = z.infer<typeof FailureGroupSchema>;

/** What `GET …-executions/failures` answers: groups, those that failed last first. */
export const RunFailuresSchema = z.strictObject({
  groups: z.array(FailureGroupSchema),
  /** Whether older failed runs of that time were left out, because there are more than 10,000. */
  partial: z.boolean(),
});
export type RunFailures = z.infer<typeof RunFailuresSchema>;
