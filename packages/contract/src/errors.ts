import { z } from "zod";
import { JsonSchema } from "./json.ts";
import type { ErrorBody } from "./oven-error.ts";
import { SchemaNoteSchema } from "./schema-note.ts";

/** One refused thing in a definition: where, which rule, and what to do. */
export const ProblemSchema = z.strictObject({
  path: z.string(),
  rule: z.string(),
  message: z.string(),
  fix: z.string(),
  severity: z.enum(["error", "warning"]).default("error"),
  /** In the text at `path`, such as code; counted from 1. */
  line: z.int().positive().optional(),
  /** The expression that it is about, as it is written. */
  about: z.string().optional(),
  /** What readers of a schema do not see of it, with the rule `schema-readers`. */
  note: SchemaNoteSchema.optional(),
});
export type Problem = z.infer<typeof ProblemSchema>;

/** The body of every error answer. `path` is like `$.states.review.invoke.src`. */
export const ErrorBodySchema = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    fix: z.string().optional(),
    path: z.string().optional(),
    details: z.record(z.string(), JsonSchema).optional(),
    docs: z.string(),
  }),
}) satisfies z.ZodType<ErrorBody>;
