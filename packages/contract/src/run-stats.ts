import { z } from "zod";
import { ExecutionStatusSchema } from "./execution.ts";

/** What the runs of one day (UTC) or of one workflow came to; children and tests of drafts are not counted. */
export const RunStatsSchema = z.strictObject({
  /** `2026-03-02`, or the id of a workflow. */
  key: z.string(),
  /** The name of the workflow. */
  name: z.string().nullable(),
  runs: z.int().nonnegative(),
  completed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  tokens: z.int().nonnegative(),
  /** 10⁻⁶ USD. */
  costMicros: z.int().nonnegative(),
  /** The middle one of those that have ended, in ms; null: none has. */
  medianMs: z.number().nonnegative().nullable(),
  /** 95 of 100 of those that have ended took at most this, in ms. */
  p95Ms: z.number().nonnegative().nullable(),
  last: z.strictObject({ id: z.int().positive(), status: ExecutionStatusSchema, at: z.string() }),
});
export type RunStats = z.infer<typeof RunStatsSchema>;

/** The query of `GET /api/agent-workflow-executions/stats`. */
export const RunStatsQuerySchema = z.object({
  by: z.enum(["day", "workflow"]).default("day"),
  /** How far back. */
  days: z.coerce.number().int().min(1).max(366).default(7),
});
export type RunStatsQuery = z.infer<typeof RunStatsQuerySchema>;
