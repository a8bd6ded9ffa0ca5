import { z } from "zod";
import { ExecutionSchema, RunEventNameSchema } from "./execution.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";
import { ReviewSchema } from "./review.ts";

/** One run with all that is recorded of it. */
export const RecordedRunSchema = z.strictObject({
  execution: ExecutionSchema,
  /** As it was pinned. */
  workflow: z.strictObject({
    slug: z.string(),
    name: z.string(),
    version: z.int(),
    contentHash: z.string(),
    definition: JsonObjectSchema,
  }),
  /** Every entry of its log, with what it changed in the context and what it was made of. */
  log: z.array(
    z.strictObject({
      seq: z.int().positive(),
      event: RunEventNameSchema,
      at: z.string(),
      fields: JsonObjectSchema,
      patch: z.array(JsonObjectSchema).nullable(),
      cause: JsonSchema,
    }),
  ),
  /** The messages it has taken. */
  signals: z.array(z.strictObject({ id: z.int(), type: z.string(), data: JsonObjectSchema })),
  reviews: z.array(ReviewSchema),
});
export type RecordedRun = z.infer<typeof RecordedRunSchema>;

/** The answer of `GET …-executions/[id]/export`: the run first, then its children in the order of their ids. */
export const RunExportSchema = z.strictObject({
  format: z.literal("oven-run"),
  formatVersion: z.literal(1),
  exportedAt: z.string(),
  runs: z.array(RecordedRunSchema).min(1),
});
export type RunExport = z.infer<typeof RunExportSchema>;
