import { z } from "zod";
import { type Json, JsonObjectSchema, JsonPatchOpSchema, JsonSchema } from "./json.ts";
import { ReviewPolicySchema } from "./review-policy.ts";

/** What a crash between start and outcome may mean for the outside world. */
export const EffectSchema = z.enum(["pure", "idempotent", "at-least-once", "at-most-once"]);
export type Effect = z.infer<typeof EffectSchema>;

/** What a node type mainly does; chooses its colour and symbol. */
export const NodeKindSchema = z.enum(["model", "tool", "memory", "human", "data", "flow", "child"]);
export type NodeKind = z.infer<typeof NodeKindSchema>;

/** The group of a node type in the palette. */
export const NodeCategorySchema = z.enum(["core", "agent", "data", "api"]);
export type NodeCategory = z.infer<typeof NodeCategorySchema>;

/** Tokens that a call has used. */
export const TokenUsageSchema = z.strictObject({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  total: z.int().nonnegative(),
  cached: z.int().nonnegative().optional(),
  /** Of the input: what the provider has put into its cache, at a quarter more than its price. */
  written: z.int().nonnegative().optional(),
  reasoning: z.int().nonnegative().optional(),
});
export type TokenUsage = z.infer<typeof TokenUsageSchema>;

/** One tool call of a node run, as it is stored. */
export const ToolCallRecordSchema = z.strictObject({
  toolCallId: z.string(),
  tool: z.string(),
  arguments: JsonSchema,
  result: JsonSchema.optional(),
  error: z.string().optional(),
  durationMs: z.int().nonnegative(),
});
export type ToolCallRecord = z.infer<typeof ToolCallRecordSchema>;

/** What a node spent; summed into its parent row and the run. */
export const SpendSchema = z.strictObject({
  tokenUsage: TokenUsageSchema.optional(),
  /** Integer, 10⁻⁶ USD. */
  costMicros: z.int().nonnegative().optional(),
  simulated: z.boolean().optional(),
  /** The model that answered, which may be another than was asked for: of an alias, or one that it falls back to. */
  model: z.strictObject({ providerId: z.string(), modelId: z.string() }).optional(),
});
export type Spend = z.infer<typeof SpendSchema>;

/** What a person is asked. `tool` is set when approval releases exactly that call. */
export const ReviewRequestSchema = z.strictObject({
  title: z.string(),
  proposal: JsonSchema,
  /** JSON Schema of an edited proposal. */
  schema: z.record(z.string(), JsonSchema).nullable().default(null),
  context: JsonSchema.default(null),
  tool: z.string().nullable().default(null),
  assignees: z.array(z.string()).default([]),
  actions: z.array(z.string()).min(1).default(["approve", "edit", "reject"]),
  dueAt: z.string().nullable().default(null),
  /** Absent in requests from before there were policies: one approval, and the deadline is an error. */
  policy: ReviewPolicySchema.optional(),
});
export type ReviewRequest = z.infer<typeof ReviewRequestSchema>;

/** The agent that a run belongs to, in the version that was current when the run began. */
export const RunAgentSchema = z.strictObject({
  id: z.int().positive(),
  version: z.int().positive(),
  /** Below zero: a test conversation with a draft. */
  sessionId: z.int().nullable(),
});
export type RunAgent = z.infer<typeof RunAgentSchema>;

/** A run of its own that a node waits for. */
export const ChildRequestSchema = z.strictObject({
  kind: z.enum(["workflow", "agent-workflow"]),
  workflowId: z.int(),
  workflowVersion: z.int(),
  /** The loop whose body the child runs, once; null: the whole workflow. */
  part: z.string().nullable().default(null),
  input: JsonObjectSchema,
  /** The agent that the child run belongs to; absent: the agent of its parent, if there is one. */
  agent: RunAgentSchema.optional(),
});
export type ChildRequest = z.infer<typeof ChildRequestSchema>;

/** One item that a node run is divided into. */
export const ItemRequestSchema = z.strictObject({
  /** Unique within the node run; becomes the row's `item`. */
  key: z.string().min(1),
  input: JsonSchema,
  nodeType: z.string().optional(),
  effect: EffectSchema.optional(),
  /** The item is a run of its own instead of a call of the node. */
  child: ChildRequestSchema.optional(),
});
export type ItemRequest = z.infer<typeof ItemRequestSchema>;

/** The answer of a node that waits, and for what. */
export const WaitSchema = z.discriminatedUnion("for", [
  z.strictObject({ for: z.literal("review"), request: ReviewRequestSchema }),
  z.strictObject({ for: z.literal("input"), request: ReviewRequestSchema }),
  z.strictObject({
    for: z.literal("timer"),
    request: z.strictObject({ /** ISO-8601 UTC. */ dueAt: z.string() }),
  }),
  z.strictObject({
    for: z.literal("event"),
    request: z.strictObject({ event: z.string(), correlation: z.string().nullable(), dueAt: z.string().nullable() }),
  }),
  z.strictObject({
    for: z.literal("items"),
    request: z.strictObject({
      items: z.array(ItemRequestSchema),
      concurrency: z.int().positive(),
      /** The first item that fails ends the wait as failed, and the others with it. */
      failFast: z.boolean().optional(),
    }),
  }),
  z.strictObject({
    for: z.literal("child"),
    request: ChildRequestSchema.extend({
      /** ISO-8601 UTC; then the child is cancelled. */ dueAt: z.string().nullable().default(null),
    }),
  }),
]);
export type Wait = z.infer<typeof WaitSchema>;

/** The result of a node that has ended. */
export const NodeDoneSchema = z.strictObject({
  type: z.literal("done"),
  output: JsonSchema,
  patch: z.array(JsonPatchOpSchema).optional(),
  spend: SpendSchema.optional(),
  toolCalls: z.array(ToolCallRecordSchema).optional(),
  /** Ends the whole run as completed, with this outcome and output. */
  stop: z.strictObject({ outcome: z.string(), output: JsonSchema }).optional(),
});
export type NodeDone = z.infer<typeof NodeDoneSchema>;

/** How a node run ends: done, or waiting for something. Failure is a thrown `OvenError`. */
export type NodeResult = NodeDone | ({ type: "wait"; spend?: Spend } & Wait);

/** What wakes a waiting node. `resume` gets it; `run` is never called again for that visit. */
export const NodeSignalSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("decision"),
    action: z.string(),
    data: JsonSchema,
    reason: z.string().nullable(),
    reviewer: z.int().nullable(),
    decidedAt: z.string(),
    /** Which review it was, and the digest of `{tool, proposal}` as it was released. */
    review: z.strictObject({ id: z.int(), digest: z.string() }).optional(),
  }),
  z.strictObject({ type: z.literal("timer"), dueAt: z.string() }),
  z.strictObject({ type: z.literal("event"), event: z.string(), payload: JsonSchema }),
  z.strictObject({
    type: z.literal("items"),
    items: z.array(
      z.strictObject({
        key: z.string(),
        status: z.enum(["completed", "failed"]),
        output: JsonSchema,
        error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
        durationMs: z.int().nonnegative(),
      }),
    ),
  }),
  z.strictObject({
    type: z.literal("child"),
    executionId: z.int(),
    status: z.enum(["completed", "failed", "cancelled"]),
    outcome: z.string().nullable(),
    output: JsonSchema,
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  }),
]);
export type NodeSignal = z.infer<typeof NodeSignalSchema>;

/** An outcome a node offers the editor as a handle: a preset of an `onDone` guard. */
export interface NodeOutcome {
  id: string;
  title: string;
  /** A guard over the node's own output, keys written as `output.…`. Absent: everything else. */
  guard?: { key: string; operator: string; value?: Json };
}

/** One entry of `GET /api/node-types`. */
export const NodeTypeSchema = z.strictObject({
  id: z.string(),
  version: z.int().positive(),
  title: z.string(),
  docs: z.string(),
  /** Other words by which people look for it. */
  synonyms: z.array(z.string()).optional(),
  /** Inputs that a form shows at once, in this order; the others are folded unless they are needed or set. */
  firstFields: z.array(z.string()).max(6).optional(),
  category: NodeCategorySchema,
  kind: NodeKindSchema,
  module: z.string(),
  effect: EffectSchema,
  composite: z.boolean(),
  inputSchema: z.record(z.string(), JsonSchema),
  outputSchema: z.record(z.string(), JsonSchema),
  outcomes: z.array(z.strictObject({ id: z.string(), title: z.string(), guard: JsonSchema.optional() })),
  permissions: z.array(z.string()),
  timeoutMs: z.int().positive().nullable(),
  /** Whether it does nothing but wait: `timeoutMs` of the step is refused then. */
  isWait: z.boolean(),
});
export type NodeType = z.infer<typeof NodeTypeSchema>;
