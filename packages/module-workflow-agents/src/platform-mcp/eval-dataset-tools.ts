import { isOvenError, JsonObjectSchema, JsonSchema, OvenError } from "@oven/contract";
import {
  CreateEvalDatasetSchema,
  EvalCaseSchema,
  type EvalDataset,
  EvalDatasetSchema,
  type EvalTarget,
  EvalTargetKindSchema,
  NewEvalCaseSchema,
} from "@oven/contract/eval";
import { toJsonSchema } from "@oven/module-workflows";
import { z } from "zod";
import {
  definePlatformTool,
  type PlatformCall,
  type PlatformTool,
  pageInput,
  pageOutput,
  toListArguments,
  toPage,
  toPreview,
} from "./platform-tool.ts";
import { toShortSchema } from "./short-schema.ts";

const KINDS = EvalTargetKindSchema.options;
const TARGET = new RegExp(`^(${KINDS.join("|")}):(.{1,63})$`);

export const DatasetIdSchema = z.union([z.int().positive(), z.string().min(1).max(63)]).describe("Id or slug");

/** As datasets are shown and taken: `agent-workflow:7`. */
export function toTarget({ kind, id }: EvalTarget): string {
  return `${kind}:${id}`;
}

function fromTarget(target: string): EvalTarget {
  const [, kind, id = ""] = TARGET.exec(target) ?? [];
  return { kind: EvalTargetKindSchema.parse(kind), id: /^\d+$/.test(id) ? Number(id) : id };
}

const datasetInput = z.strictObject({
  dataset_id: DatasetIdSchema.optional().describe("Left out: a new one, which needs `name` and `target`"),
  name: CreateEvalDatasetSchema.shape.name.optional(),
  slug: CreateEvalDatasetSchema.shape.slug,
  description: z.string().max(10_000).optional(),
  target: z
    .string()
    .regex(TARGET, `${KINDS.join(", ")}, a colon, and an id or slug`)
    .optional()
    .describe("agent-workflow:7, agent-workflow:triage, agent:3"),
  timeout_seconds: z.int().min(1).max(86_400).optional().describe("Of one case"),
  cases: z.array(NewEvalCaseSchema).max(100).optional(),
});
/** What a case may have is in the guide: its schema is longer than all of this. */
const shownInput = datasetInput.extend({
  cases: z
    .array(JsonObjectSchema)
    .optional()
    .describe(
      "{name, input, expectations, …} as definition_guide says under evals; one of a name that is there replaces it",
    ),
});

const datasetOutput = z.strictObject({
  dataset_id: z.int(),
  slug: z.string(),
  name: z.string(),
  target: z.string(),
  allows_effects: z.boolean(),
  cases: z.int(),
});

type Calls = Pick<PlatformCall<unknown>, "call">;

/** Datasets of cases: made, changed and read. */
export const evalDatasetTools: readonly PlatformTool[] = [
  definePlatformTool({
    name: "save_eval_dataset",
    title: "Make or change a dataset of test cases",
    description: "What is given is set, cases are added; the rest stays. `enabled: false` leaves a case out.",
    input: datasetInput,
    shownInput: () => toShortSchema(toJsonSchema(shownInput, "input")),
    output: datasetOutput,
    calls: ["evals.datasets.create", "evals.datasets.update", "evals.datasets.importCases", "evals.datasets.get"],
    run: async ({ input: { dataset_id, cases = [], ...given }, call }) => {
      const isNew = dataset_id === undefined;
      const dataset = isNew ? await create({ call }, given) : await change({ call }, dataset_id, given);
      if (cases.length === 0) return toDatasetAnswer(dataset);
      const asked = { id: String(dataset.id), lines: cases.map((one) => JSON.stringify(one)).join("\n") };
      try {
        return toDatasetAnswer(await call("evals.datasets.importCases", asked, EvalDatasetSchema));
      } catch (error) {
        throw isNew && isOvenError(error) ? madeWithoutCases(dataset, error) : error;
      }
    },
  }),
  definePlatformTool({
    name: "get_eval_dataset",
    title: "Get a dataset of test cases",
    description: "A dataset with a page of its cases, long ones cut; with `case` one of them in full.",
    input: z.strictObject({ dataset_id: DatasetIdSchema, case: z.string().max(200).optional(), ...pageInput }),
    output: datasetOutput.extend({ listed: z.array(z.record(z.string(), JsonSchema)), ...pageOutput }),
    calls: ["evals.datasets.get", "evals.cases.list"],
    run: async ({ input: { dataset_id, case: name, ...page }, call }) => {
      const dataset = await getDataset({ call }, dataset_id);
      const filter = { datasetId: dataset.id, ...(name === undefined ? {} : { name }) };
      const asked = toListArguments(page, filter, ["position", "ASC"]);
      const { rows, next_offset } = toPage(page, await call("evals.cases.list", asked, z.array(EvalCaseSchema)));
      const listed = rows.map((row) => {
        // As it is saved: what is read can be changed and sent back.
        const one = JsonObjectSchema.parse(
          Object.fromEntries(Object.keys(NewEvalCaseSchema.shape).map((key) => [key, row[key as keyof typeof row]])), // cast: a case has all that a new one has
        );
        const cut = ([key, value]: [string, z.output<typeof JsonSchema>]) => [key, toPreview(value, "`case`")];
        return name === undefined ? Object.fromEntries(Object.entries(one).map(cut)) : one;
      });
      return { ...toDatasetAnswer(dataset), listed, next_offset };
    },
  }),
];

type Given = Omit<z.output<typeof datasetInput>, "dataset_id" | "cases">;

async function create({ call }: Calls, given: Given): Promise<EvalDataset> {
  if (given.name === undefined || given.target === undefined)
    throw new OvenError("INVALID_REQUEST", "A new dataset has a name, and what it is run against", {
      status: 400,
      fix: "Send `name` and `target`, or the `dataset_id` of one that is to be changed.",
    });
  return call("evals.datasets.create", toBody(given), EvalDatasetSchema);
}

/**
 * Cases have scripted decisions. In a dataset that allows effects a client would decide with them what it has started itself.
 * @throws OvenError FORBIDDEN 403
 */
async function change({ call }: Calls, id: string | number, given: Given): Promise<EvalDataset> {
  const dataset = await getDataset({ call }, id);
  if (dataset.allowEffects)
    throw new OvenError("FORBIDDEN", `The cases of ${dataset.slug} have effects, and are not changed by a program`, {
      status: 403,
      fix: "Change it in the dashboard, or make another dataset: the runs of those that are made here have no effects.",
    });
  const body = toBody(given);
  if (Object.keys(body).length === 0) return dataset;
  return call("evals.datasets.update", { id: String(dataset.id), body }, EvalDatasetSchema);
}

function getDataset({ call }: Calls, id: string | number): Promise<EvalDataset> {
  return call("evals.datasets.get", { id: String(id) }, EvalDatasetSchema);
}

function toBody({ name, slug, description, target, timeout_seconds }: Given) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(description === undefined ? {} : { description }),
    ...(target === undefined ? {} : { target: { ...fromTarget(target) } }),
    ...(timeout_seconds === undefined ? {} : { timeoutMs: timeout_seconds * 1_000 }),
  };
}

function madeWithoutCases({ id, slug }: EvalDataset, error: OvenError): OvenError {
  const { code, message, status, path, details } = error;
  return new OvenError(code, message, {
    status,
    ...(path === undefined ? {} : { path }),
    ...(details === undefined ? {} : { details }),
    fix: `${slug} was made and has no cases: mend them and send them with \`dataset_id\` ${id}.`,
    cause: error,
  });
}

function toDatasetAnswer({ id, slug, name, target, allowEffects, cases }: EvalDataset): z.input<typeof datasetOutput> {
  return { dataset_id: id, slug, name, target: toTarget(target), allows_effects: allowEffects, cases };
}
