import { JsonObjectSchema, JsonPatchOpSchema, JsonSchema, notFound } from "@oven/contract";
import {
  ExecutionSchema,
  ExecutionStatusSchema,
  type ExecutionSummary,
  ExecutionSummarySchema,
  RunCheckpointSchema,
} from "@oven/contract/run";
import { WorkflowSchema } from "@oven/contract/workflow";
import { z } from "zod";
import {
  definePlatformTool,
  type PlatformCall,
  type PlatformTool,
  pageInput,
  pageOutput,
  RunIdSchema,
  toListArguments,
  toPage,
  WorkflowIdSchema,
} from "./platform-tool.ts";
import { requirePublished } from "./published-version.ts";
import { runOutput, toRunAnswer } from "./run-answers.ts";

const WORKFLOWS = "agents-workflow.agentWorkflows";
const RUNS = "agents-workflow.agentWorkflowExecutions";

const versionInput = z
  .union([z.int().positive(), z.enum(["current", "draft"])])
  .optional()
  .describe("`current` after a repair was published, `draft` to try one out; left out, the version of the run");

/** Runs: started, listed, read, gone on with, ended. */
export const runTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "test_agent_workflow",
    title: "Test the draft of an agent workflow",
    description:
      "Runs the draft, or without one the published version. As a dry run, which is the default, nothing has an effect and no person is asked: what acts answers with an example. `dry_run: false` asks models and calls services.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      input: JsonObjectSchema.optional().describe("As its payloadSchema says"),
      input_name: z.string().max(100).optional().describe("Instead of `input`: one that set_test_data has kept"),
      dry_run: z.boolean().default(true),
      pins: z.record(z.string(), JsonSchema).optional().describe("Outputs by state id: these steps are not run"),
      from: z.string().optional().describe("Begins at this state"),
      until: z.string().optional().describe("Ends after this state"),
      wait_seconds: z.int().min(1).max(60).default(30),
    }),
    output: runOutput,
    calls: [`${WORKFLOWS}.drafts.execute`, `${WORKFLOWS}.testData.get`, `${WORKFLOWS}.drafts.get`],
    run: async ({ input: given, ...context }) => {
      const { call, find } = context;
      const { workflow_id, input, input_name, dry_run, wait_seconds, ...rest } = given;
      const id = String(workflow_id);
      const draft = await find(`${WORKFLOWS}.drafts.get`, { id }, z.object({ revision: z.int() }));
      const asked = {
        ...{ id, revision: draft?.revision ?? 0, dryRun: dry_run, wait: wait_seconds },
        input: input_name === undefined ? (input ?? {}) : await inputOf(call, id, input_name),
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      };
      return show(context, await call(`${WORKFLOWS}.drafts.execute`, asked, ExecutionSummarySchema));
    },
  }),
  definePlatformTool({
    name: "execute_agent_workflow",
    title: "Run an agent workflow",
    description:
      "Runs the published version for real and waits for its end, or until it waits for a person. To try a definition out use test_agent_workflow.",
    input: z.strictObject({
      workflow_id: WorkflowIdSchema,
      input: JsonObjectSchema.default({}).describe("As its payloadSchema says"),
      wait_seconds: z.int().min(1).max(60).default(30),
    }),
    output: runOutput,
    calls: [`${WORKFLOWS}.execute`],
    run: async ({ input: { workflow_id, input, wait_seconds }, ...context }) => {
      const workflow = await context.find(`${WORKFLOWS}.get`, { id: String(workflow_id) }, WorkflowSchema);
      if (workflow !== undefined) requirePublished(workflow);
      const asked = { workflow: String(workflow_id), input, waitSeconds: wait_seconds };
      return show(context, await context.call(`${WORKFLOWS}.execute`, asked, ExecutionSummarySchema));
    },
  }),
  definePlatformTool({
    name: "list_runs",
    title: "List runs",
    description: "Runs of agent workflows, the newest first. For runs of executor chains use list_failed_runs.",
    input: z.strictObject({
      workflow_id: z.int().positive().optional().describe("Id of an agent workflow"),
      status: ExecutionStatusSchema.optional(),
      ...pageInput,
    }),
    output: z.strictObject({
      runs: z.array(
        z.strictObject({
          run_id: z.int(),
          workflow_id: z.int().nullable(),
          version: z.int(),
          status: ExecutionStatusSchema,
          outcome: z.string().optional(),
          error: z.string().optional(),
          started_at: z.string().nullable(),
        }),
      ),
      ...pageOutput,
    }),
    calls: [`${RUNS}.list`],
    run: async ({ input: { workflow_id, status, ...page }, call }) => {
      const filter = {
        ...(workflow_id === undefined ? {} : { agentWorkflowId: workflow_id }),
        ...(status === undefined ? {} : { status }),
      };
      const asked = toListArguments(page, filter);
      const { rows, next_offset } = toPage(page, await call(`${RUNS}.list`, asked, z.array(ExecutionSummarySchema)));
      return {
        runs: rows.map(({ id, agentWorkflowId, workflowVersion, status: is, outcome, errorInfo, startedAt }) => ({
          ...{ run_id: id, workflow_id: agentWorkflowId ?? null, version: workflowVersion, status: is },
          ...(outcome === null ? {} : { outcome }),
          ...(errorInfo === null ? {} : { error: errorInfo.code }),
          started_at: startedAt,
        })),
        next_offset,
      };
    },
  }),
  definePlatformTool({
    name: "get_run",
    title: "Get a run",
    description: "How a run stands, with its steps in short; with `step` that step's input and output in full.",
    input: z.strictObject({ run_id: RunIdSchema, step: z.string().max(64).optional().describe("Id of a state") }),
    output: runOutput.extend({
      step: z
        .strictObject({
          step: z.string(),
          status: z.string(),
          input: JsonSchema,
          output: JsonSchema,
          error: z.string().nullable(),
        })
        .optional(),
    }),
    calls: [`${RUNS}.get`],
    run: async ({ input: { run_id, step }, publicUrl, call }) => {
      const run = await call(`${RUNS}.get`, { id: run_id }, ExecutionSchema);
      if (step === undefined) return toRunAnswer(run, publicUrl);
      const node = run.nodes.findLast(({ nodeId }) => nodeId === step);
      if (node === undefined) throw notFound(`the run ${run_id} has no step`, step);
      const { status, input, output, error } = node;
      return { ...toRunAnswer({ ...run, nodes: [] }, publicUrl), step: { step, status, input, output, error } };
    },
  }),
  definePlatformTool({
    name: "retry_run",
    title: "Go on with a run that failed",
    description:
      'A new run that goes on from the step that failed; what had finished is not done again. After a repair that was published send `version: "current"`, else the run goes on with the version that failed.',
    input: z.strictObject({
      run_id: RunIdSchema,
      version: versionInput,
      step: z.string().max(64).optional().describe("The state to go on from instead"),
    }),
    output: runOutput,
    calls: [`${RUNS}.retry`],
    run: async ({ input: { run_id, version, step }, ...context }) => {
      const asked = {
        id: run_id,
        ...(version === undefined ? {} : { version }),
        ...(step === undefined ? {} : { nodeId: step }),
      };
      return show(context, await context.call(`${RUNS}.retry`, asked, ExecutionSummarySchema));
    },
  }),
  definePlatformTool({
    name: "list_checkpoints",
    title: "List the checkpoints of a run",
    description: "Where a run stood after each of its moves: places to fork it at.",
    input: z.strictObject({ run_id: RunIdSchema, ...pageInput }),
    output: z.strictObject({
      checkpoints: z.array(z.strictObject({ checkpoint: z.int(), cause: z.string(), step: z.string().nullable() })),
      ...pageOutput,
    }),
    calls: [`${RUNS}.checkpoints`],
    run: async ({ input: { run_id, ...page }, call }) => {
      const range = JSON.stringify([page.offset, page.offset + page.limit]);
      const found = await call(`${RUNS}.checkpoints`, { id: run_id, range }, z.array(RunCheckpointSchema));
      const { rows, next_offset } = toPage(page, found);
      return {
        checkpoints: rows.map(({ seq, cause, nodeId }) => ({ checkpoint: seq, cause, step: nodeId })),
        next_offset,
      };
    },
  }),
  definePlatformTool({
    name: "fork_run",
    title: "Begin a new run at a checkpoint",
    description: "A new run from a checkpoint of another one, with a patched context if wished.",
    input: z.strictObject({
      run_id: RunIdSchema,
      checkpoint: z.int().positive().describe("Of list_checkpoints"),
      patch: z.array(JsonPatchOpSchema).max(1_000).optional().describe("Changes to the context; RFC 6902"),
      version: z
        .union([z.int().positive(), z.literal("current")])
        .optional()
        .describe("The version to go on with; left out, the one of the run"),
    }),
    output: runOutput,
    calls: [`${RUNS}.fork`],
    run: async ({ input: { run_id, checkpoint, patch, version }, ...context }) => {
      const asked = {
        ...{ id: run_id, checkpoint },
        ...(patch === undefined ? {} : { patch }),
        ...(version === undefined ? {} : { version }),
      };
      return show(context, await context.call(`${RUNS}.fork`, asked, ExecutionSummarySchema));
    },
  }),
  definePlatformTool({
    name: "cancel_run",
    title: "Cancel a run",
    description: "Stops a run; nothing new starts once this is answered.",
    input: z.strictObject({ run_id: RunIdSchema, reason: z.string().max(2_000).optional() }),
    output: runOutput,
    calls: [`${RUNS}.cancel`],
    run: async ({ input: { run_id, reason }, publicUrl, call }) => {
      const asked = { id: run_id, ...(reason === undefined ? {} : { reason }) };
      return toRunAnswer(await call(`${RUNS}.cancel`, asked, ExecutionSchema), publicUrl);
    },
  }),
];

/** With its steps, where the client may see runs. */
async function show(
  { find, publicUrl }: Pick<PlatformCall<unknown>, "find" | "publicUrl">,
  started: ExecutionSummary,
): Promise<z.input<typeof runOutput>> {
  return toRunAnswer((await find(`${RUNS}.get`, { id: started.id }, ExecutionSchema)) ?? started, publicUrl);
}

/** @throws OvenError NOT_FOUND */
async function inputOf(call: PlatformCall<unknown>["call"], id: string, name: string) {
  const answer = z.object({ inputs: z.record(z.string(), JsonObjectSchema) });
  const { inputs } = await call(`${WORKFLOWS}.testData.get`, { id }, answer);
  const input = inputs[name];
  if (input === undefined) throw notFound("the test input", name);
  return input;
}
