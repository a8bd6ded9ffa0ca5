import { JsonSchema } from "@oven/contract";
import { type Execution, type ExecutionSummary, executionPath } from "@oven/contract/run";
import { z } from "zod";
import { toPreview } from "./platform-tool.ts";

/** A run as builders see it: how it stands, what it waits for, and what became of each step. */
export const runOutput = z.strictObject({
  run_id: z.int(),
  workflow_id: z.int().nullable(),
  version: z.int().describe("Below zero: a draft"),
  status: z.enum(["pending", "running", "paused", "completed", "failed", "cancelled"]),
  outcome: z.string().optional(),
  output: JsonSchema.optional(),
  error: z
    .strictObject({ code: z.string(), step: z.string().nullable(), message: z.string() })
    .optional()
    .describe("explain_error has the code"),
  simulated: z.boolean().optional().describe("It made up answers of models: no provider is connected"),
  dry_run: z.boolean().optional().describe("Nothing had an effect; examples stood in for answers"),
  waits_for: z.array(z.strictObject({ step: z.string(), for: z.string(), review_id: z.int().optional() })).optional(),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      node_type: z.string(),
      status: z.string(),
      output: JsonSchema.optional(),
      error: z.string().optional(),
    }),
  ),
  earlier_steps: z.int().optional().describe("How many steps before these are not shown"),
  url: z.string(),
});

const MOST_STEPS = 40;

/** A run in short: outputs that are long are cut. */
export function toRunAnswer(run: ExecutionSummary & Partial<Execution>, publicUrl: string): z.input<typeof runOutput> {
  const { id, kind, status, outcome, errorInfo, nodes = [] } = run;
  const whole = "get_run with its step";
  const shown = nodes.slice(-MOST_STEPS);
  const earlier = (run.nodesTotal ?? nodes.length) - shown.length;
  const waiting = (run.checkpoint?.waiting ?? []).map(({ nodeId, for: what, reviewId }) => ({
    ...{ step: nodeId, for: what },
    ...(reviewId === null ? {} : { review_id: reviewId }),
  }));
  return {
    ...{ run_id: id, workflow_id: run.agentWorkflowId ?? run.workflowId ?? null, version: run.workflowVersion, status },
    ...(outcome === null ? {} : { outcome }),
    ...(status === "completed" ? { output: run.output } : {}),
    ...(errorInfo === null
      ? {}
      : { error: { code: errorInfo.code, step: errorInfo.nodeId, message: errorInfo.message } }),
    ...(run.simulated ? { simulated: true } : {}),
    ...(run.options?.dryRun === true ? { dry_run: true } : {}),
    ...(waiting.length === 0 || status !== "paused" ? {} : { waits_for: waiting }),
    steps: shown.map(({ nodeId, nodeType, status: is, output, error }) => ({
      ...{ step: nodeId, node_type: nodeType, status: is },
      ...(output === null ? {} : { output: toPreview(output, whole) }),
      ...(error === null ? {} : { error }),
    })),
    ...(earlier > 0 ? { earlier_steps: earlier } : {}),
    url: `${publicUrl}${executionPath(kind, id)}/show`,
  };
}
