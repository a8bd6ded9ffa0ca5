import { z } from "zod";

const count = z.int().nonnegative();

/** What one pass of `POST /api/retention/run` removed. */
export const RetentionReportSchema = z.strictObject({
  /** Runs that lost their log, node runs, blobs and context. */
  details: count,
  /** Runs that are gone. */
  runs: count,
  events: count,
  nodeRuns: count,
  signals: count,
  blobs: count,
  reviews: count,
  /** Idempotency keys. */
  keys: count,
  /** Deleted rows of other modules, by table, such as deliveries of triggers and notifications. */
  rows: z.record(z.string(), count),
});
export type RetentionReport = z.infer<typeof RetentionReportSchema>;
