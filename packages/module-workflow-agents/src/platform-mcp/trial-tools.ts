import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { MAX_REHEARSED, RehearsalSchema, type RehearsedRun } from "@oven/contract/run";
import { TestDataSchema } from "@oven/contract/workflow";
import { z } from "zod";
import { definePlatformTool, type PlatformTool, WorkflowIdSchema } from "./platform-tool.ts";

const OF = "agents-workflow.agentWorkflows";

/** Runs that differ, in one answer: it is read by a model. */
const MOST_LISTED = 20;

const testDataOutput = z.strictObject({
  inputs: z.record(z.string(), JsonObjectSchema),
  pinned_steps: z.array(z.string()),
});

/** What a workflow is tried out with: saved inputs and pinned outputs. */
export const trialTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "set_test_data",
    title: "Keep test inputs and pinned outputs",
    description:
      "Keeps inputs under a name and outputs of steps, which the editor uses, too. What is named is set, or with null taken away; the rest stays. Without either it only answers what there is.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      inputs: z.record(z.string(), JsonObjectSchema.nullable()).optional(),
      pins: z.record(z.string(), JsonSchema.nullable()).optional().describe("Outputs by state id"),
    }),
    output: testDataOutput,
    calls: [`${OF}.testData.change`],
    run: async ({ input: { workflow_id, inputs, pins }, call }) => {
      const pinned = Object.entries(pins ?? {}).map(([state, output]) => [
        state,
        output === null ? null : { output, basis: "" },
      ]);
      const asked = {
        id: String(workflow_id),
        ...(inputs === undefined ? {} : { inputs }),
        ...(pins === undefined ? {} : { pins: Object.fromEntries(pinned) }),
      };
      const data = await call(`${OF}.testData.change`, asked, TestDataSchema);
      return { inputs: data.inputs, pinned_steps: Object.keys(data.pins) };
    },
  }),
  definePlatformTool({
    name: "try_on_past_runs",
    title: "Try the draft on past runs",
    description:
      "What recorded runs would come to on the draft. Nothing outside is called; `unknown`: an answer was not recorded. Use it before publishing and after a repair.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      status: z.enum(["all", "completed", "failed"]).default("all"),
      dataset: z.string().optional().describe("Only runs with inputs of this eval dataset"),
      limit: z.int().min(1).max(MAX_REHEARSED).default(50),
      before: z.number().optional(),
      live_max_cost_micros: z
        .int()
        .positive()
        .optional()
        .describe("Ask models what was not recorded, for at most so much"),
    }),
    output: z.strictObject({
      counts: z.record(z.string(), z.number()),
      different: z.array(
        z.strictObject({
          run_id: z.number(),
          verdict: z.string(),
          step: z.string().optional(),
          reason: z.string().optional(),
          was: z.string().optional(),
          is: z.string().optional(),
          calls_added: z.array(z.string()),
          calls_missing: z.array(z.string()),
          tokens: z.number().optional().describe("More than recorded"),
          cost_micros: z.number().optional().describe("More than recorded"),
          duration_ms: z.number().optional(),
          seen: z.boolean().describe("By a person"),
        }),
      ),
      live_cost_micros: z.number().optional(),
      recorded_since: z.string().optional().describe("Older ones are gone"),
      next_before: z.number().optional(),
    }),
    calls: [`${OF}.rehearse`],
    run: async ({ input: { workflow_id, live_max_cost_micros: maxCostMicros, ...asked }, call }) => {
      const given = {
        id: String(workflow_id),
        ...asked,
        ...(maxCostMicros !== undefined && { live: { maxCostMicros } }),
      };
      const { counts, runs, next, recordings, live: spent } = await call(`${OF}.rehearse`, given, RehearsalSchema);
      const different = runs.filter(({ verdict }) => verdict !== "same").slice(0, MOST_LISTED);
      return {
        counts,
        different: different.map(toDifference),
        ...(recordings.removed === 0 || recordings.since === null ? {} : { recorded_since: recordings.since }),
        ...(spent === null ? {} : { live_cost_micros: spent.costMicros }),
        ...(next === null ? {} : { next_before: next }),
      };
    },
  }),
];

/** As short as an answer can be: what does not apply is left out. */
function toDifference({ executionId, verdict, unknown, end, calls, ...run }: RehearsedRun) {
  const nameOf = (side: NonNullable<RehearsedRun["end"]>["was"]) =>
    side?.outcome ?? side?.error ?? side?.status ?? "open";
  const steps = (list: RehearsedRun["calls"]["added"]) => list.map(({ nodeId }) => nodeId);
  return {
    ...{ run_id: executionId, verdict },
    ...(unknown === null ? {} : { reason: unknown.reason }),
    ...(unknown === null || unknown.nodeId === null ? {} : { step: unknown.nodeId }),
    ...(end === null ? {} : { was: nameOf(end.was), is: nameOf(end.is) }),
    ...{ calls_added: steps(calls.added), calls_missing: steps(calls.missing) },
    ...(run.tokens === 0 ? {} : { tokens: run.tokens }),
    ...(run.costMicros === 0 ? {} : { cost_micros: run.costMicros }),
    ...(run.durationMs === 0 ? {} : { duration_ms: run.durationMs }),
    seen: run.seen,
  };
}
