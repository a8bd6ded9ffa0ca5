import { z } from "zod";
import { ModelSettingsSchema } from "./definition.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";
import { TokenUsageSchema, ToolCallRecordSchema } from "./node-contract.ts";
import { ActorSchema } from "./principal.ts";

/** Which tables a run is in: those of workflows or of agent workflows. */
export const ExecutionKindSchema = z.enum(["workflow", "agent-workflow"]);
export type ExecutionKind = z.infer<typeof ExecutionKindSchema>;

/** The page of a run in the dashboard. */
export function executionPath(kind: ExecutionKind, id: number): string {
  return kind === "workflow" ? `/workflow-executions/${id}` : `/agent-workflow-executions/${id}`;
}

/** How far a run is. */
export const ExecutionStatusSchema = z.enum(["pending", "running", "paused", "completed", "failed", "cancelled"]);
export type ExecutionStatus = z.infer<typeof ExecutionStatusSchema>;

/** How far a node run is. */
export const NodeStatusSchema = z.enum(["running", "completed", "failed", "paused", "cancelled", "skipped"]);
export type NodeStatus = z.infer<typeof NodeStatusSchema>;

/** Whether a run has ended for good. */
export function isTerminal(status: ExecutionStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** What a node run waits for. */
export const WaitingSchema = z.strictObject({
  nodeId: z.string(),
  visit: z.int().positive(),
  item: z.string().nullable(),
  for: z.enum(["review", "input", "event", "timer", "child", "items"]),
  reviewId: z.int().nullable(),
  dueAt: z.string().nullable(),
  /** The child run that is waited for. */
  executionId: z.int().optional(),
  /** The events that a state with `on` waits for. */
  events: z.array(z.string()).optional(),
});
export type Waiting = z.infer<typeof WaitingSchema>;

/** The state of a run after one commit, without its context. */
export const CheckpointSchema = z.strictObject({ seq: z.int(), waiting: z.array(WaitingSchema) });
export type Checkpoint = z.infer<typeof CheckpointSchema>;

/** Why a run or node run failed. */
export const ErrorInfoSchema = z.strictObject({
  code: z.string(),
  nodeId: z.string().nullable(),
  message: z.string(),
  details: z.record(z.string(), JsonSchema).optional(),
});
export type ErrorInfo = z.infer<typeof ErrorInfoSchema>;

/** Model traffic of a run, kept under a name or answered again from there. */
export const TrafficSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  /** `replay`: no model is asked; a request that was not recorded is an error. */
  mode: z.enum(["record", "replay"]),
  /** Tells apart runs that share a recording, such as the name of a case. */
  scope: z.string().max(1_000).default(""),
});
export type Traffic = z.infer<typeof TrafficSchema>;

/** How a run differs from a plain one. */
export const RunOptionsSchema = z.strictObject({
  /** Begins at this state instead of the initial one. */
  from: z.string().optional(),
  /** Ends, completed with the outcome `partial`, once this state's node is done. */
  until: z.string().optional(),
  /** Loops around `until`, by state id, with the index of the one item (or pass) that is run of each, from 0. */
  items: z.record(z.string(), z.int().nonnegative()).optional(),
  /** Outputs of nodes by state id: they are taken as they stand, and the nodes are not called. */
  pins: z.record(z.string(), JsonSchema).optional(),
  /** Nothing has an effect: see the guide on dry runs. */
  dryRun: z.boolean().optional(),
  /** With `dryRun`: the run whose outputs stand in for nodes that have an effect. */
  recordingOf: z.int().positive().optional(),
  /** Tokens the run and its children may use; it fails with `TOKEN_LIMIT` once they are exceeded. */
  maxTokens: z.int().nonnegative().optional(),
  /** What the run and its children may cost, in 10⁻⁶ USD; it fails with `COST_LIMIT` once that is exceeded. */
  maxCostMicros: z.int().nonnegative().optional(),
  /** Calls of models by the run and its children. */
  recording: TrafficSchema.optional(),
  /** Tools and nodes that act on the world at least or at most once are refused; models are asked, memory is only read. */
  refuseEffects: z.boolean().optional(),
  /** What models are asked with instead, where a step does not say so itself. Of this run only. */
  modelSettings: ModelSettingsSchema.optional(),
  /** It tries a workflow out: what it leaves behind, such as memories, says so. */
  test: z.boolean().optional(),
});
export type RunOptions = z.infer<typeof RunOptionsSchema>;

/** What every execution row shows; lists stop here. */
export const ExecutionSummarySchema = z.strictObject({
  id: z.int().positive(),
  kind: ExecutionKindSchema,
  agentWorkflowId: z.int().optional(),
  workflowId: z.int().optional(),
  workflowName: z.string(),
  workflowSlug: z.string(),
  workflowVersion: z.int(),
  tenantId: z.int().nullable(),
  status: ExecutionStatusSchema,
  outcome: z.string().nullable(),
  currentState: z.string(),
  activeStates: z.array(z.string()),
  waitingUntil: z.string().nullable(),
  output: JsonSchema,
  agentId: z.int().nullable(),
  sessionId: z.int().nullable(),
  triggerEvent: z.string().nullable(),
  triggeredBy: ActorSchema,
  parentId: z.int().nullable(),
  rootId: z.int(),
  /** The node run (and item) of the parent that waits for this child run. */
  parentNodeId: z.string().nullable(),
  parentVisit: z.int().nullable(),
  parentItem: z.string().nullable(),
  /** The state of the loop whose body this child run executes. */
  part: z.string().nullable(),
  /** 0: not a child. */
  depth: z.int(),
  retryOf: z.int().nullable(),
  forkOf: z.int().nullable(),
  /** Up to which entry of that run's log it was taken over. */
  originSeq: z.int().nullable(),
  options: RunOptionsSchema.nullable(),
  priority: z.int(),
  tokenUsage: TokenUsageSchema,
  costMicros: z.int(),
  steps: z.int(),
  simulated: z.boolean(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  error: z.string().nullable(),
  errorInfo: ErrorInfoSchema.nullable(),
});
export type ExecutionSummary = z.infer<typeof ExecutionSummarySchema>;

/** One row per node run: its outcome, once. `visit` and `attempt` start at 1. */
export const NodeRunSchema = z.strictObject({
  id: z.int().positive(),
  executionId: z.int().positive(),
  nodeId: z.string(),
  parentNodeId: z.string().nullable(),
  nodeType: z.string(),
  nodeVersion: z.int(),
  visit: z.int().positive(),
  attempt: z.int().positive(),
  item: z.string().nullable(),
  status: NodeStatusSchema,
  input: JsonSchema,
  output: JsonSchema,
  tokenUsage: TokenUsageSchema.nullable(),
  toolCalls: z.array(ToolCallRecordSchema).nullable(),
  costMicros: z.int(),
  error: z.string().nullable(),
  errorInfo: ErrorInfoSchema.nullable(),
  durationMs: z.int().nullable(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
});
export type NodeRun = z.infer<typeof NodeRunSchema>;

/** An execution, as `GET /api/agent-workflow-executions/[id]` answers it. */
export const ExecutionSchema = ExecutionSummarySchema.extend({
  input: JsonSchema,
  context: JsonSchema,
  stateValue: JsonSchema,
  checkpoint: CheckpointSchema.nullable(),
  nodes: z.array(NodeRunSchema),
  /** Set when `nodes` are the newest only: `GET …-executions/[id]/nodes?range=[0,999]` pages through all of them. */
  nodesTotal: z.int().optional(),
});
export type Execution = z.infer<typeof ExecutionSchema>;

/** What a run was made of, whatever became of its workflow since. */
export const RunDefinitionSchema = z.strictObject({
  /** Below zero: a draft of that revision. */
  version: z.int(),
  contentHash: z.string(),
  definition: JsonObjectSchema,
});
export type RunDefinition = z.infer<typeof RunDefinitionSchema>;

/** The body of `POST /api/agent-workflows/[id]/execute`. */
export const ExecuteBodySchema = z.strictObject({
  input: JsonObjectSchema.default({}),
  /** Among runs that wait for room, higher goes first. Default 0. */
  priority: z.int().min(-10).max(10).optional(),
  options: RunOptionsSchema.optional(),
});
export type ExecuteBody = z.infer<typeof ExecuteBodySchema>;

/** `orders.paid`: letters, digits, `_`, `-` and `:`, with dots between. */
export const OutsideEventNameSchema = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_:-]+(?:\.[A-Za-z0-9_:-]+)*$/, "a name such as orders.paid");

/** The body of `POST …-executions/[id]/events`. */
export const SendEventBodySchema = z.strictObject({
  event: OutsideEventNameSchema,
  payload: JsonSchema.default(null),
  /** What `core.waitForEvent` may ask for, such as an order number. */
  correlation: z.string().max(200).nullable().optional(),
});
export type SendEventBody = z.infer<typeof SendEventBodySchema>;

/** The query of `POST /api/agent-workflows/[id]/execute`. */
export const ExecuteQuerySchema = z.strictObject({
  /** Seconds to wait for the end or a pause. */
  wait: z.coerce.number().int().min(1).max(60).optional(),
});

/** One entry of the run's persisted, monotonic log as the stream sends it. */
export const RunEventNameSchema = z.enum([
  "execution.started",
  "execution.paused",
  "execution.resumed",
  "execution.undoing",
  "execution.migrated",
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
  "node.started",
  "node.completed",
  "node.failed",
  "node.paused",
  "node.cancelled",
  "tool.started",
  "tool.completed",
  "tool.failed",
  "tool.asked",
  "text.delta",
  "text.discarded",
  "message.added",
  "review.opened",
  "review.decided",
  "review.expired",
  "review.escalated",
  "review.voted",
  "review.delegated",
  "review.commented",
  "child.started",
  "child.completed",
  "log",
  "end",
]);
export type RunEventName = z.infer<typeof RunEventNameSchema>;

/** One event of a run, as its event stream sends it. */
export const RunEventSchema = z.looseObject({
  seq: z.int().positive(),
  executionId: z.int().positive(),
  at: z.string(),
  event: RunEventNameSchema,
});
/** `seq` is per execution and has no gaps; the other fields depend on `event`. */
export type RunEvent = z.infer<typeof RunEventSchema>;
