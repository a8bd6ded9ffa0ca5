import { z } from "zod";
import { ErrorBodySchema } from "./errors.ts";
import { ExecutionKindSchema } from "./execution.ts";
import { JsonSchema } from "./json.ts";
import { ToolCallSchema } from "./model.ts";
import { EffectSchema } from "./node-contract.ts";
import { AssigneeSchema, ReviewPolicySchema, ReviewStageSchema } from "./review-policy.ts";

/** How far a review is. */
export const ReviewStatusSchema = z.enum(["open", "decided", "expired", "cancelled"]);

/** What one person said. A review is over with the last approval it needs, or the first rejection. */
export const ReviewVoteSchema = z.strictObject({
  userId: z.int(),
  userName: z.string().nullable(),
  /** Of which stage it was, from 0. */
  stage: z.int(),
  action: z.string(),
  reason: z.string().nullable(),
  at: z.string(),
});
export type ReviewVote = z.infer<typeof ReviewVoteSchema>;

/** What releasing a tool's call may do, as the tool declares it: `money`, `outbound`. */
export const ReviewRiskSchema = z.strictObject({ effect: EffectSchema, tags: z.array(z.string()) });
export type ReviewRisk = z.infer<typeof ReviewRiskSchema>;

/** Tags that say over what a tool is reached, of which all have the tag `outbound`, too. */
const WAYS: ReadonlySet<string> = new Set(["mcp", "api", "a2a"]);

/** The tags by which a person learns what a call may do. */
export function tellingTags(tags: readonly string[]): string[] {
  return tags.filter((tag) => !WAYS.has(tag));
}

/** Whether releasing a call needs a second look: it moves money, or cannot be undone. What is unknown is taken for the worst. */
export function isRisky({
  tool,
  risk,
}: {
  tool: string | null;
  risk: z.infer<typeof ReviewRiskSchema> | null;
}): boolean {
  if (tool === null) return false;
  if (risk === null || risk.tags.includes("money")) return true;
  return risk.effect !== "pure" && risk.effect !== "idempotent";
}

/** A review, as `GET /api/reviews/[id]` answers it. */
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
  /** Null: nothing is called, or nothing is known of the tool. */
  risk: ReviewRiskSchema.nullable(),
  /** SHA-256 (hex) of the RFC 8785 JSON of `{tool, proposal}`. */
  digest: z.string(),
  assignees: z.array(z.string()),
  actions: z.array(z.string()),
  dueAt: z.string().nullable(),
  /** When those of `from` had not decided in time, and those of `assignees` were asked instead; null: that has not happened. */
  escalation: z.strictObject({ at: z.string(), from: z.array(z.string()) }).nullable(),
  policy: ReviewPolicySchema,
  /** Which of `stages` is asked, from 0. */
  stage: z.int(),
  /** Those that must approve the proposal as it stands, one after the other. Empty: the assignees alone. */
  stages: z.array(ReviewStageSchema.omit({ when: true })),
  /** The user who started the run; null: a trigger or the server did. */
  requestedBy: z.int().nullable(),
  requestedByName: z.string().nullable(),
  /** What was said about the proposal as it stands now: an edit begins anew. */
  votes: z.array(ReviewVoteSchema),
  /** Whether the caller may decide it now. */
  mayDecide: z.boolean(),
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

/** The body of `reviews/decide`: one decision for reviews that propose the very same. */
export const BatchDecisionSchema = DecisionSchema.omit({ reviewId: true }).extend({
  ids: z.array(z.int().positive()).min(1).max(100),
  digest: z.string(),
});
export type BatchDecision = z.infer<typeof BatchDecisionSchema>;

/** What became of each; a refusal of one does not hold up the others. */
export const BatchDecidedSchema = z.strictObject({
  id: z.int().positive(),
  review: ReviewSchema.nullable(),
  error: ErrorBodySchema.shape.error.nullable(),
});
export type BatchDecided = z.infer<typeof BatchDecidedSchema>;

/** The body of `delegate`. */
export const DelegationSchema = z.strictObject({ to: AssigneeSchema, reason: z.string().max(2_000).optional() });
export type Delegation = z.infer<typeof DelegationSchema>;

/** A review comment, as `GET /api/reviews/[id]/comments` answers it. */
export const ReviewCommentSchema = z.strictObject({
  id: z.int().positive(),
  reviewId: z.int().positive(),
  userId: z.int().nullable(),
  userName: z.string().nullable(),
  text: z.string(),
  createdAt: z.string(),
});
export type ReviewComment = z.infer<typeof ReviewCommentSchema>;

/** The body of `POST /api/reviews/[id]/comments`. */
export const NewReviewCommentSchema = z.strictObject({ text: z.string().trim().min(1).max(10_000) });

/** A tool call that a review has released: which review it was, and the digest of what was approved there. */
export const ReleasedToolCallSchema = ToolCallSchema.extend({
  /** Null: a review with a condition that did not have to ask; it releases nothing. */
  review: z.strictObject({ id: z.int(), digest: z.string() }).nullable().optional(),
});
export type ReleasedToolCall = z.infer<typeof ReleasedToolCallSchema>;

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
