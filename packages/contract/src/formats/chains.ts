import { z } from "zod";
import { JsonObjectSchema, JsonSchema } from "../json.ts";
import { TimezoneSchema } from "../notification.ts";
import { OverlapSchema } from "../trigger.ts";
import { WorkflowIdSchema } from "../workflow-format.ts";

/*
 * Chains of executors, named and shaped as their document has them. Both versions of its tables are meant: a row has the
 * columns of either.
 */

/** Code decides how often an executor runs, not its model. */
export const ChainLoopSchema = z.strictObject({
  type: z.enum(["none", "for_each", "repeat_until"]).default("none"),
  /** For `for_each`: the path of the list in the previous output; null: the previous output is the list. */
  input_path: z.string().max(1_000).nullable().default(null),
  /** For `for_each`: the most items; null: 100. Further items are left out, and the output says so. */
  max_items: z.int().positive().max(10_000).nullable().default(null),
  /** For `repeat_until`: the most iterations; null: 10. */
  max_iters: z.int().positive().max(1_000).nullable().default(null),
  /** For `repeat_until`: the path in an iteration's output that ends the loop. */
  predicate_path: z.string().max(1_000).nullable().default(null),
  /** Compared as text, or as the JSON it is; null: any truthy value ends the loop. */
  predicate_value: z.string().max(10_000).nullable().default(null),
});
export type ChainLoop = z.infer<typeof ChainLoopSchema>;

const ExecutorId = z
  .string()
  .max(255)
  .regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, "must be a letter or _, then letters, digits, _, . or -");

/** One executor of a chain: its kind, instructions and limits. */
export const ExecutorSpecSchema = z.strictObject({
  executor_id: ExecutorId,
  name: z.string().trim().min(1).max(255),
  description: z.string().max(10_000).default(""),
  /** An alias, `provider:model`, or a model that a provider lists, such as `gpt-4o`. */
  model: z.string().trim().min(1).max(100),
  tools: z.array(z.string().min(1).max(200)).max(100),
  system_prompt: z.string().min(1).max(200_000),
  /** `{"price": "float"}`, or JSON Schema of an object. */
  output_schema: JsonObjectSchema,
  iteration_hint: z.string().max(10_000).nullable().default(null),
  loop: ChainLoopSchema.nullable().default(null),
});
export type ExecutorSpec = z.infer<typeof ExecutorSpecSchema>;

/** Whether a chain starts at once, at a time or again and again. */
export const ChainScheduleTypeSchema = z.enum(["immediate", "scheduled", "recurring"]);
export type ChainScheduleType = z.infer<typeof ChainScheduleTypeSchema>;

/** When, and what becomes of due times that passed or meet a run that goes on. */
const scheduling = {
  schedule_type: ChainScheduleTypeSchema,
  /** In words such as `tomorrow 9am`, or an instant. */
  schedule_time: z.string().trim().min(1).max(300).nullable().default(null),
  /** `0 9 * * MON-FRI`, or words such as `daily at 9am`. */
  cron_expression: z.string().trim().min(1).max(100).nullable().default(null),
  /** null: the installation's, which is UTC unless it is configured. */
  timezone: TimezoneSchema.nullable().default(null),
  misfire: z.enum(["skip", "once", "all"]).default("once"),
  overlap: OverlapSchema.default("skip"),
};

/** The body of `POST /api/executor-chains` and `PUT /api/executor-chains/[workflow]`. */
export const ChainSpecSchema = z.strictObject({
  /** A word of your own, such as `daily_price_monitor`; null: made of the name. */
  workflow_id: WorkflowIdSchema.nullable().default(null),
  name: z.string().trim().min(1).max(255),
  description: z.string().max(10_000),
  executors: z.array(ExecutorSpecSchema).min(1).max(100),
  ...scheduling,
  schedule_type: ChainScheduleTypeSchema.default("immediate"),
  notify_on_complete: z.boolean().default(false),
  notify_on_failure: z.boolean().default(true),
});
export type ChainSpec = z.infer<typeof ChainSpecSchema>;
export type NewChainSpec = z.input<typeof ChainSpecSchema>;

/** When a chain starts by itself; the body of `POST /api/executor-chains/[workflow]/schedule`. */
export const ChainScheduleSchema = z.strictObject(scheduling);
export type ChainSchedule = z.infer<typeof ChainScheduleSchema>;
export type NewChainSchedule = z.input<typeof ChainScheduleSchema>;

/** A document as text: JSON, also with comments, `True`, triple quotes and commas at the end. */
export const ImportChainSchema = z.strictObject({ source: z.string().min(1).max(2_000_000) });

/** The tools of a chain as they were when it was made. */
export const ToolManifestSchema = z.strictObject({
  version: z.string(),
  /** `sha256:…` over the tools, in whatever order they stand. */
  hash: z.string().startsWith("sha256:"),
  /** `str`, `int`, `float`, `bool`, `list`, `dict` or `any`; with a `?` where it may be left out. */
  tools: z.array(z.strictObject({ name: z.string(), args: z.record(z.string(), z.string()) })),
});
export type ToolManifest = z.infer<typeof ToolManifestSchema>;

/** A chain runs only while it is active. */
export const ChainStatusSchema = z.enum(["active", "paused", "archived"]);
export type ChainStatus = z.infer<typeof ChainStatusSchema>;

/** A chain, as `GET /api/executor-chains` answers it. */
export const ChainSchema = z.strictObject({
  id: z.int(),
  workflow_id: z.uuid(),
  slug: z.string(),
  user_id: z.string(),
  thread_id: z.string(),
  name: z.string(),
  description: z.string(),
  executors: z.array(ExecutorSpecSchema),
  tool_manifest_hash: z.string(),
  tool_manifest_json: ToolManifestSchema,
  tool_manifest_version: z.string(),
  schedule_type: ChainScheduleTypeSchema,
  /** The exact instant. */
  schedule_time: z.string().nullable(),
  cron_expression: z.string().nullable(),
  timezone: z.string(),
  next_run_time: z.string().nullable(),
  status: ChainStatusSchema,
  total_runs: z.int(),
  successful_runs: z.int(),
  /** Runs that succeeded in part count as failed. */
  failed_runs: z.int(),
  notify_on_complete: z.boolean(),
  notify_on_failure: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Chain = z.infer<typeof ChainSchema>;

/** Where a payload is kept. */
export const OutputRefSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("file"), path: z.string(), blob_id: z.int().positive() }),
  z.strictObject({ type: z.literal("db"), table: z.string(), row_id: z.string() }),
  /** A document of a vector store; the store by slug or id. */
  z.strictObject({ type: z.literal("kb"), kb_id: z.string(), row_id: z.string().regex(/^\d{1,15}$/) }),
]);
export type OutputRef = z.infer<typeof OutputRefSchema>;

/** What goes on in place of a payload over the threshold. */
export const LargeOutputSchema = z.strictObject({
  summary: z.string(),
  output_ref: OutputRefSchema,
  meta: z.strictObject({ count: z.int().nonnegative(), bytes: z.int().nonnegative() }),
});
export type LargeOutput = z.infer<typeof LargeOutputSchema>;

/** How far a run of a chain is. */
export const ChainRunStatusSchema = z.enum([
  "pending",
  "running",
  "completed",
  "failed",
  "cancelled",
  "partial_success",
]);
export type ChainRunStatus = z.infer<typeof ChainRunStatusSchema>;

/** A chain run, as `GET /api/executor-chains/[workflow]/runs` answers it. */
export const ChainRunSchema = z.strictObject({
  id: z.int(),
  run_id: z.uuid(),
  workflow_id: z.uuid(),
  user_id: z.string(),
  thread_id: z.string(),
  status: ChainRunStatusSchema,
  /** From 0; of a run that has ended: the one it ended in. */
  current_executor: z.int().nonnegative(),
  total_executors: z.int().positive(),
  /** The last successful output. */
  result: JsonSchema,
  final_output_ref: OutputRefSchema.nullable(),
  final_output_summary: z.string().nullable(),
  error_message: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  created_at: z.string(),
  /** The engine's number of it; of a resumed one the newest. */
  execution_id: z.int(),
});
export type ChainRun = z.infer<typeof ChainRunSchema>;

/** How far one executor of a chain is. */
export const ExecutorRunStatusSchema = z.enum(["running", "success", "failed", "skipped"]);
export type ExecutorRunStatus = z.infer<typeof ExecutorRunStatusSchema>;

/** One item or turn of a loop. */
export const ExecutorIterationSchema = z.strictObject({
  index: z.int().nonnegative(),
  status: ExecutorRunStatusSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  duration_ms: z.int(),
});

/** An executor run, as `GET /api/executor-chain-runs/[run]/executors` answers it. */
export const ExecutorRunSchema = z.strictObject({
  id: z.int(),
  run_id: z.uuid(),
  executor_id: z.string(),
  executor_name: z.string(),
  input_data: JsonSchema,
  input_ref: OutputRefSchema.nullable(),
  input_summary: z.string().nullable(),
  model: z.string(),
  tools_used: z.array(z.string()),
  status: ExecutorRunStatusSchema,
  structured_output: JsonSchema,
  structured_output_ref: OutputRefSchema.nullable(),
  structured_output_summary: z.string().nullable(),
  total_tokens: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  duration_ms: z.int(),
  error_message: z.string().nullable(),
  /** Answers that did not fit, and were asked for again. */
  retry_count: z.int(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  /** The items or turns of a loop; `exhausted`: the loop was ended by its limit. */
  iterations: z.array(ExecutorIterationSchema),
  exhausted: z.boolean(),
});
export type ExecutorRun = z.infer<typeof ExecutorRunSchema>;

/** How a tool call of a chain has gone. */
export const ChainToolCallStatusSchema = z.enum(["running", "success", "failed", "timeout"]);

/** A chain tool call, as `GET /api/executor-chain-runs/[run]/tool-calls` answers it. */
export const ChainToolCallSchema = z.strictObject({
  id: z.int(),
  executor_run_id: z.int(),
  tool_name: z.string(),
  /** null where only summaries are kept. */
  tool_input: JsonSchema,
  tool_output: JsonSchema,
  tool_input_ref: OutputRefSchema.nullable(),
  tool_output_ref: OutputRefSchema.nullable(),
  status: ChainToolCallStatusSchema,
  error_message: z.string().nullable(),
  duration_ms: z.int(),
  started_at: z.string(),
  completed_at: z.string().nullable(),
});
export type ChainToolCall = z.infer<typeof ChainToolCallSchema>;

/** A chain trace, as `GET /api/executor-chain-runs/[run]/trace` answers it. */
export const ChainTraceSchema = z.strictObject({
  run_id: z.uuid(),
  workflow_id: z.uuid(),
  status: ChainRunStatusSchema,
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  error_message: z.string().nullable(),
  /** Such as tools that are not as they were when the workflow was made. */
  warnings: z.array(z.string()),
  final_output: JsonSchema,
  executor_runs: z.array(
    z.strictObject({
      executor_id: z.string(),
      name: z.string(),
      model: z.string(),
      status: ExecutorRunStatusSchema,
      duration_ms: z.int(),
      tokens: z.strictObject({ prompt: z.int(), completion: z.int(), total: z.int() }),
      input: JsonSchema,
      structured_output: JsonSchema,
      tools_used: z.array(z.string()),
      tool_calls: z.array(
        z.strictObject({
          tool: z.string(),
          input: JsonSchema,
          output: JsonSchema,
          duration_ms: z.int(),
          status: ChainToolCallStatusSchema,
          error_message: z.string().optional(),
        }),
      ),
      iterations: z.array(ExecutorIterationSchema),
      exhausted: z.boolean(),
      error_message: z.string().optional(),
    }),
  ),
});
export type ChainTrace = z.infer<typeof ChainTraceSchema>;

/** The answer to running a chain. While it goes on, `status` says so and `run_id` finds it again. */
export const ChainResultSchema = z.strictObject({
  workflow_id: z.uuid(),
  run_id: z.uuid(),
  status: ChainRunStatusSchema,
  executor_results: z.array(
    z.strictObject({
      executor_id: z.string(),
      status: ExecutorRunStatusSchema,
      output: JsonSchema.optional(),
      error: z.string().optional(),
    }),
  ),
  final_output: JsonSchema,
});
export type ChainResult = z.infer<typeof ChainResultSchema>;

/** Seconds to wait for the end. */
export const RunChainSchema = z.strictObject({ wait: z.int().min(0).max(60).default(0) });

/** What a schedule means exactly. */
export const ChainJobSchema = z.strictObject({
  workflow_id: z.uuid(),
  schedule_type: ChainScheduleTypeSchema,
  next_run_time: z.string().nullable(),
  timezone: z.string(),
  cron_expression: z.string().nullable(),
  /** Such as "At 09:00 AM, Monday through Friday (Europe/Vienna)". */
  says: z.string(),
  /** The run that an `immediate` job has started. */
  run_id: z.uuid().nullable(),
});
export type ChainJob = z.infer<typeof ChainJobSchema>;

/** The body of `POST /api/executor-chains/cancel`. */
export const CancelChainSchema = z.strictObject({
  workflow_id: WorkflowIdSchema.nullable().default(null),
  /** Only schedules of that type are taken away; runs go on. */
  schedule_type: ChainScheduleTypeSchema.nullable().default(null),
});
export type CancelChain = z.input<typeof CancelChainSchema>;

/** Which runs were cancelled, as `POST /api/executor-chains/cancel` answers it. */
export const CancelledChainsSchema = z.strictObject({
  cancelled: z.array(z.strictObject({ workflow_id: z.uuid(), runs_cancelled: z.int() })),
});
export type CancelledChains = z.infer<typeof CancelledChainsSchema>;

/** `skip`: the executor that failed is left out; the next one gets what the one before it gave. */
export const ResumeChainSchema = z.strictObject({ skip: z.boolean().default(false) });

/** The body of `PUT /api/executor-chains/[workflow]/status`. */
export const SetChainStatusSchema = z.strictObject({ status: ChainStatusSchema });
