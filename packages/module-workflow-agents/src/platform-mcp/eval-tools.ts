import { EvalDatasetSchema, EvalModeSchema, type EvalRun, EvalRunSchema } from "@oven/contract/eval";
import { z } from "zod";
import { DatasetIdSchema, toTarget } from "./eval-dataset-tools.ts";
import {
  definePlatformTool,
  type PlatformTool,
  pageInput,
  pageOutput,
  toListArguments,
  toPage,
} from "./platform-tool.ts";

const evalOutput = z.strictObject({
  eval_run_id: z.int(),
  status: z.string(),
  cases: z.int(),
  passed: z.int(),
  failed: z.int(),
  errors: z.int().describe("Cases that could not be judged"),
  pass_rate: z.number().nullable(),
});

/** Published versions are evaluated with datasets of cases. */
export const evalTools: readonly PlatformTool[] = [
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
          target: z.string(),
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
          ...{ dataset_id: id, slug, name, target: toTarget(target), cases },
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
      dataset_id: DatasetIdSchema,
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
