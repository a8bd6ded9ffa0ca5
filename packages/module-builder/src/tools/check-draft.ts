import type { Json, JsonObject } from "@oven/contract";
import { isOvenError } from "@oven/contract";
import { type Execution, ExecutionSchema, ExecutionSummarySchema } from "@oven/contract/run";
import {
  type DraftCase,
  type DraftCaseResult,
  DraftCaseResultSchema,
  DraftCaseSchema,
  type DraftExpectation,
  TestDataSchema,
} from "@oven/contract/workflow";
import type { AskCatalogue, PlatformTool } from "@oven/module-workflow-agents";
import { z } from "zod";
import { readDraft, WORKFLOWS } from "../desks/desk.ts";

const RUNS = "agents-workflow.agentWorkflowExecutions";
const WAIT_SECONDS = 60;

const input = z.strictObject({
  workflow_id: z.union([z.int().positive(), z.string()]),
  cases: z.array(DraftCaseSchema).min(1).max(20),
});
const output = z.strictObject({ passed: z.int(), failed: z.int(), cases: z.array(DraftCaseResultSchema) });

/** A tool of the builder alone: test cases with what must come of them. */
export const checkDraftTool: PlatformTool & { casesOf(args: JsonObject): DraftCase[] } = {
  name: "check_draft",
  title: "Try the draft with test cases",
  description:
    "Runs the draft with each test case, without effect, and compares what came of it with what the case expects. The inputs are kept as test inputs of the workflow. Pin the outputs of steps that ask models or services, so that each way through the graph is tried. All cases at once: they replace those before.",
  input,
  output,
  calls: [`${WORKFLOWS}.drafts.execute`, `${WORKFLOWS}.testData.change`, `${RUNS}.get`],
  run: async (context) => {
    const { workflow_id, cases } = input.parse(context.input);
    const ask: AskCatalogue = async (id, args) => context.call(id, args, z.custom<Json>());
    const results = await tryCases(ask, Number(workflow_id), cases);
    const passed = results.filter((result) => result.passed).length;
    return { passed, failed: results.length - passed, cases: results };
  },
  casesOf: (args) => input.shape.cases.parse(args.cases),
};

/** Runs the draft with each case, as dry runs, one after the other. @throws OvenError where the draft cannot be run at all */
export async function tryCases(
  ask: AskCatalogue,
  workflowId: number,
  cases: readonly DraftCase[],
): Promise<DraftCaseResult[]> {
  const id = String(workflowId);
  const inputs = Object.fromEntries(cases.map((one) => [one.name, one.input]));
  TestDataSchema.parse(await ask(`${WORKFLOWS}.testData.change`, { id, inputs }));
  const { revision } = await readDraft(ask, workflowId);
  const results: DraftCaseResult[] = [];
  for (const one of cases) results.push(await tryCase(ask, { id, revision }, one));
  return results;
}

async function tryCase(
  ask: AskCatalogue,
  draft: { id: string; revision: number },
  { name, input: given, pins = {}, expect }: DraftCase,
): Promise<DraftCaseResult> {
  try {
    const asked = { ...draft, dryRun: true, wait: WAIT_SECONDS, input: given, pins };
    const started = ExecutionSummarySchema.parse(await ask(`${WORKFLOWS}.drafts.execute`, asked));
    const run = ExecutionSchema.parse(await ask(`${RUNS}.get`, { id: started.id }));
    const reason = differenceOf(run, expect);
    return { name, passed: reason === null, runId: run.id, status: run.status, reason };
  } catch (error) {
    // An input that does not fit, or a draft that is not valid: the case says so, the others are tried.
    if (!isOvenError(error)) throw error;
    return { name, passed: false, runId: null, status: null, reason: `${error.code}: ${error.message}` };
  }
}

/** What of a run is not as a case expects; null: nothing. */
function differenceOf(
  run: Pick<Execution, "status" | "outcome" | "output" | "errorInfo" | "nodes">,
  expect: DraftExpectation,
): string | null {
  if (run.status !== expect.status) {
    const why =
      run.errorInfo === null
        ? ""
        : `: ${run.errorInfo.code} at ${run.errorInfo.nodeId ?? "the start"}: ${run.errorInfo.message}`;
    return `The run is ${run.status}, not ${expect.status}${why}`;
  }
  if (expect.outcome !== undefined && run.outcome !== expect.outcome)
    return `The outcome is ${run.outcome ?? "none"}, not ${expect.outcome}`;
  if (expect.error !== undefined && run.errorInfo?.code !== expect.error)
    return `The error is ${run.errorInfo?.code ?? "none"}, not ${expect.error}`;
  const ran = new Set(run.nodes.map(({ nodeId }) => nodeId));
  const missing = (expect.visits ?? []).filter((id) => !ran.has(id));
  if (missing.length > 0) return `${missing.join(", ")} did not run; ${[...ran].join(", ")} did`;
  if (expect.output === undefined) return null;
  const place = missingPart(run.output ?? null, expect.output, "output");
  return place === null ? null : `${place} of the run is not as expected: the output is ${shorten(run.output ?? null)}`;
}

/** Where `value` lacks a part; null: it has all of it. Objects may have more members than the part names. */
function missingPart(value: Json, part: Json, place: string): string | null {
  if (Array.isArray(part)) {
    if (!Array.isArray(value) || value.length !== part.length) return place;
    for (const [index, one] of part.entries()) {
      const found = missingPart(value[index] ?? null, one, `${place}[${index}]`);
      if (found !== null) return found;
    }
    return null;
  }
  if (typeof part !== "object" || part === null) return Object.is(value, part) ? null : place;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return place;
  for (const [key, one] of Object.entries(part)) {
    if (!Object.hasOwn(value, key)) return `${place}.${key}`;
    const found = missingPart(value[key] ?? null, one, `${place}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

const MOST_SHOWN = 400;

function shorten(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
