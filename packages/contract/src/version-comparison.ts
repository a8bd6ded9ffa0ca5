import { z } from "zod";
import { JsonSchema } from "./json.ts";

/** One value that differs. `from` or `to` is absent where the value is. */
const ChangeSchema = z.strictObject({
  /** Such as `invoke.input.prompt` or `invoke.onDone[0].target`. */
  path: z.string(),
  from: JsonSchema.optional(),
  to: JsonSchema.optional(),
});

/** What two versions of a workflow differ in, by state id; `meta` is left out, as it is of versions. */
export const VersionComparisonSchema = z.strictObject({
  from: z.int().positive(),
  to: z.int().positive(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(ChangeSchema.extend({ stateId: z.string() })),
  /** States that stand in another one now; null: at the top. */
  moved: z.array(z.strictObject({ stateId: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
  /** Everything beside the states: payload schema, limits, model settings, … */
  settings: z.array(ChangeSchema),
});
export type VersionComparison = z.infer<typeof VersionComparisonSchema>;
export type VersionChange = z.infer<typeof ChangeSchema>;
