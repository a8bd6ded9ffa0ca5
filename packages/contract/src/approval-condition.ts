import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";
import { JsonSchema } from "./json.ts";
import { ApprovalConditionSchema } from "./review-policy.ts";

/** The body of `approval-conditions/try`: a condition, and whose past proposals it is tried on. */
export const TryConditionSchema = z
  .strictObject({
    when: ApprovalConditionSchema,
    /** Calls of a tool, or of the tools that a pattern names. */
    tool: z.string().min(1).max(200).optional(),
    /** What one step of a workflow proposed, or called. */
    step: z
      .strictObject({ kind: ExecutionKindSchema, workflowId: z.int().positive(), nodeId: z.string().min(1).max(500) })
      .optional(),
  })
  .refine(({ tool, step }) => tool !== undefined || step !== undefined, "give `tool`, or `step`, or both");
export type TryCondition = z.infer<typeof TryConditionSchema>;

/** What a condition says of one past proposal; `unknown` where it cannot be computed, which asks as well. */
export const ConditionOutcomeSchema = z.enum(["holds", "fails", "unknown"]);

export type ConditionOutcome = z.infer<typeof ConditionOutcomeSchema>;

/** What a condition would have done. */
export const TriedConditionSchema = z.strictObject({
  /** Past proposals that it was tried on: the newest, 200 at most. */
  looked: z.int(),
  /** How many of them people would have been asked about. */
  asks: z.int(),
  /** Those of `asks` where it cannot be computed. */
  unknown: z.int(),
  /** The newest that it asks about, 5 at most. */
  examples: z.array(
    z.strictObject({
      executionId: z.int(),
      executionKind: ExecutionKindSchema,
      at: z.string(),
      outcome: ConditionOutcomeSchema,
      args: JsonSchema,
    }),
  ),
});
export type TriedCondition = z.infer<typeof TriedConditionSchema>;
