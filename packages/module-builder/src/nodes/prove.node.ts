import { type JsonObject, ProblemSchema } from "@oven/contract";
import { DraftProofSchema, type NotProved } from "@oven/contract/workflow";
import { defineNode, done, type NodeContext, type RunnableNode } from "@oven/module-registry";
import { toSummary } from "@oven/module-workflows";
import { getAt, indexStates } from "@oven/scope";
import { z } from "zod";
import { readDraft, WORKFLOWS } from "../desks/desk.ts";
import type { DeskRow, DeskRows } from "../desks/desk-rows.ts";
import { tryCases } from "../tools/check-draft.ts";
import { catalogueOfStep } from "./node-desk.ts";
import { missingLinks } from "./step-links.ts";

const MOST_PROBLEMS = 20;

/** `builder.prove`: what holds of the draft that a run has made, and what is wrong with it. */
export function proveNode(rows: () => DeskRows): RunnableNode {
  return defineNode({
    id: "builder.prove",
    version: 1,
    title: "Prove a draft",
    firstFields: ["text"],
    docs: [
      "Checks what the builder has made: the draft is validated, its test cases are run once more without effect, and what a run needs at most is computed. Where the run has changed nothing, it only checks that the answer links to steps that exist.",
      "",
      "`feedback` is what is wrong, in words for the model that made it; it is empty where nothing is.",
    ].join("\n"),
    category: "api",
    kind: "data",
    effect: "idempotent",
    permissions: ["agent-workflows.update", "agent-workflows.execute"],
    delegates: true,
    timeoutMs: 300_000,
    input: z.strictObject({ text: z.string().describe("What the model answered") }),
    output: z.strictObject({
      feedback: z.string(),
      text: z.string(),
      proof: DraftProofSchema.nullable(),
    }),
    run: async (context) => {
      const { text } = context.input;
      const row = await rows().get(context.principal, context.node.executionId);
      const ask = catalogueOfStep(context);
      const { definition, revision } = await readDraft(ask, row.workflowId);
      const broken = missingLinks(text, definition);
      const links = broken.length === 0 ? "" : `Your answer links to steps that do not exist: ${broken.join(", ")}.`;
      if (!row.changed || revision === 0) return done({ feedback: links, text, proof: null });
      const answer = await ask(`${WORKFLOWS}.validate`, { definition });
      const { problems } = z.object({ problems: z.array(ProblemSchema) }).parse(answer);
      const errors = problems.filter(({ severity }) => severity === "error");
      const valid = errors.length === 0;
      const cases = valid && row.cases.length > 0 ? await tryCases(ask, row.workflowId, row.cases) : [];
      const failed = cases.filter(({ passed }) => !passed);
      const worstCase = valid ? await worstCaseOf(context, row, definition) : null;
      const feedback = [
        ...errors.map(({ path, message, fix }) => `The draft is not valid at ${path}: ${message}. ${fix}`),
        ...failed.map(({ name, reason }) => `The test case ${JSON.stringify(name)} does not pass: ${reason}`),
        ...(valid && row.cases.length === 0
          ? ["No test case was written. Try the draft with check_draft, one case for each way through it."]
          : []),
        ...(links === "" ? [] : [links]),
      ].join("\n");
      const proof = DraftProofSchema.parse({
        ...{ workflowId: row.workflowId, draftRevision: revision, valid, cases, worstCase },
        problems: problems.slice(0, MOST_PROBLEMS),
        notProved: valid ? notProved(context, definition, { row, isBounded: worstCase?.unbounded.length === 0 }) : [],
      });
      return done({ feedback, text, proof });
    },
  });
}

async function worstCaseOf({ services, principal }: NodeContext, row: DeskRow, definition: JsonObject) {
  const { worstCases } = services.workflowPlatform;
  return toSummary(await worstCases.of(principal, definition, { kind: "agent-workflow", workflowId: row.workflowId }));
}

/** What dry runs cannot show: they call no model, no service and no person. */
function notProved(
  { services }: NodeContext,
  definition: JsonObject,
  { row, isBounded }: { row: DeskRow; isBounded: boolean },
): NotProved[] {
  const { nodes } = services.workflowPlatform;
  const used = indexStates(definition).list.flatMap(({ state }) => {
    const src = getAt(state, ["invoke", "src"]);
    return typeof src === "string" ? (nodes.get(src) ?? []) : [];
  });
  const isModel = used.some(({ kind }) => kind === "model" || kind === "memory");
  const asksPeople = used.some(({ kind }) => kind === "human");
  const acts = used.some(({ kind, effect }) => kind !== "model" && kind !== "human" && effect !== "pure");
  return [
    ...(row.cases.length === 0 ? (["no-case"] as const) : []),
    ...(isModel ? (["model-answers"] as const) : []),
    ...(acts ? (["outside-calls"] as const) : []),
    ...(asksPeople ? (["reviews"] as const) : []),
    ...(isBounded ? [] : (["unbounded"] as const)),
  ];
}
