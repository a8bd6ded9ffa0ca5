import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { EvalDatasetSchema, EvalModeSchema, type EvalRun, EvalRunSchema } from "@oven/contract/eval";
import { TestDataSchema } from "@oven/contract/workflow";
import { z } from "zod";
import {
  definePlatformTool,
  type PlatformTool,
  pageInput,
  pageOutput,
  toListArguments,
  toPage,
  WorkflowIdSchema,
} from "./platform-tool.ts";

const OF = "agents-workflow.agentWorkflows";

const testDataOutput = z.strictObject({
  inputs: z.record(z.string(), JsonObjectSchema),
  pinned_steps: z.array(z.string()),
});

const evalOutput = z.strictObject({
  eval_run_id: z.int(),
  status: z.string(),
  cases: z.int(),
  passed: z.int(),
  failed: z.int(),
  errors: z.int().describe("Cases that could not be judged"),
  pass_rate: z.number().nullable(),
});

/** What a workflow is tried out with: saved inputs and pinned outputs, and datasets of cases. */
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
    name: "list_eval_datasets",
    title: "List datasets of test cases",
    description: "Datasets that published versions are evaluated with.",
    input: z.strictObject({ words: z.string().max(200).optional(), ...pageInput }),
    output: z.strictObject({
      datasets: z.array(
        z.strictObject({
          dataset_id: z.int(),
          slug: z.string(),
          name: z.string(),
          target: z.string().describe("agent-workflow:7"),
          cases: z.int(),
        }),
      ),
      ...pageOutput,
    }),
    calls: ["evals.datasets.list"],
    run: async ({ input: { words, ...page }, call }) => {
      const asked = toListArguments(page, words ? { q: words } : {});
      const { rows, next_offset } = toPage(page, await call("evals.datasets.list", asked, z.array(EvalDatasetSchema)));
      return {
        datasets: rows.map(({ id, slug, name, target, cases }) => ({
          ...{ dataset_id: id, slug, name, target: `${target.kind}:${target.id}`, cases },
        })),
        next_offset,
      };
    },
  }),
  definePlatformTool({
    name: "run_eval",
    title: "Evaluate a published version",
    description:
      "Runs a dataset's cases against a published version; follow it with get_eval_run. `replay` asks no model and takes the answers of a recording.",
    input: z.strictObject({
      dataset_id: z.union([z.int().positive(), z.string().min(1).max(63)]).describe("Id or slug of a dataset"),
      version: z.int().positive().optional().describe("Left out: the current one"),
      mode: EvalModeSchema.default("live"),
    }),
    output: evalOutput,
    calls: ["evals.datasets.run"],
    run: async ({ input: { dataset_id, version, mode }, call }) => {
      const asked = { id: String(dataset_id), mode, ...(version === undefined ? {} : { version }) };
      return toEvalAnswer(await call("evals.datasets.run", asked, EvalRunSchema));
    },
  }),
  definePlatformTool({
    name: "get_eval_run",
    title: "Get an evaluation",
    description: "How far an evaluation is, and what its cases came to.",
    input: z.strictObject({ eval_run_id: z.int().positive() }),
    output: evalOutput,
    calls: ["evals.runs.get"],
    run: async ({ input: { eval_run_id }, call }) =>
      toEvalAnswer(await call("evals.runs.get", { id: eval_run_id }, EvalRunSchema)),
  }),
];

function toEvalAnswer({ id, status, cases, passed, failed, errors, passRate }: EvalRun): z.input<typeof evalOutput> {
  return { eval_run_id: id, status, cases, passed, failed, errors, pass_rate: passRate };
}
