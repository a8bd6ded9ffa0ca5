import { z } from "zod";
import { NodeStatusSchema } from "./execution.ts";
import { McpEnvelopeSchema } from "./mcp.ts";
import { ReviewSchema } from "./review.ts";

/** One step of a run, without what it took and gave. Times are ISO 8601. */
const McpRunStepSchema = z.strictObject({
  nodeId: z.string(),
  label: z.string(),
  status: NodeStatusSchema,
  /** From 1: how often the run has come here. */
  visit: z.int().positive(),
  durationMs: z.int().nonnegative().nullable(),
});
export type McpRunStep = z.infer<typeof McpRunStepSchema>;

/** An open review as a view shows it: what the page of reviews shows of it, without the votes of others. */
const McpReviewViewSchema = ReviewSchema.pick({
  id: true,
  executionId: true,
  executionKind: true,
  workflowName: true,
  title: true,
  proposal: true,
  schema: true,
  context: true,
  tool: true,
  risk: true,
  digest: true,
  assignees: true,
  actions: true,
  dueAt: true,
  escalation: true,
  policy: true,
  requestedByName: true,
  mayDecide: true,
  createdAt: true,
}).extend({ url: z.string() });
export type McpReviewView = z.infer<typeof McpReviewViewSchema>;

/** A run as a view shows it. */
export const McpRunViewSchema = z.strictObject({
  envelope: McpEnvelopeSchema,
  workflow: z.string(),
  /** In order; of many the newest. */
  steps: z.array(McpRunStepSchema),
  /** What the run and those inside it wait for. */
  reviews: z.array(McpReviewViewSchema),
});
export type McpRunView = z.infer<typeof McpRunViewSchema>;
