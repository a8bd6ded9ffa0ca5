import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";
import { JsonSchema } from "./json.ts";

export const ReviewStatusSchema = z.enum(["open", "decided", "expired", "cancelled"]);

export const ReviewSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  executionId: z.int().positive(),
  executionKind: ExecutionKindSchema,
  workflowId: z.int(),
  workflowName: z.string(),
  nodeId: z.string(),
  visit: z.int(),
  item: z.string().nullable(),
  status: ReviewStatusSchema,
  title: z.string(),
  proposal: JsonSchema,
  schema: z.record(z.string(), JsonSchema).nullable(),
  context: JsonSchema,
  tool: z.string().nullable(),
  /** SHA-256 (hex) of the RFC 8785 JSON of `{tool, proposal}`. */
  digest: z.string(),
  assignees: z.array(z.string()),
  actions: z.array(z.string()),
  dueAt: z.string().nullable(),
  action: z.string().nullable(),
  data: JsonSchema,
  reason: z.string().nullable(),
  decidedBy: z.int().nullable(),
  decidedByName: z.string().nullable(),
  decidedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type Review = z.infer<typeof ReviewSchema>;

/** The body of `resume` and `decide`. */
export const DecisionSchema = z.strictObject({
  action: z.string().min(1),
  data: JsonSchema.optional(),
  reason: z.string().max(10_000).optional(),
  reviewId: z.int().positive().optional(),
  digest: z.string().optional(),
});
export type Decision = z.infer<typeof DecisionSchema>;

/** The older form, `{input: {decision, feedback}}`, is taken too. A missing decision is never an approval. */
export const ResumeBodySchema = z.union([
  DecisionSchema,
  z.strictObject({ input: z.strictObject({ decision: z.string().min(1), feedback: z.string().optional() }) }).transform(
    ({ input }): Decision => ({
      action: input.decision,
      ...(input.feedback === undefined ? {} : { reason: input.feedback }),
    }),
  ),
]);
