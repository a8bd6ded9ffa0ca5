import { isOvenError, type JsonObject, OvenError, ProblemSchema } from "@oven/contract";
import { type Workflow, type WorkflowDraft, WorkflowDraftSchema, WorkflowSchema } from "@oven/contract/workflow";
import { z } from "zod";
import type { PlatformCall } from "./platform-tool.ts";
import { problemOutput, toProblemAnswer } from "./problem-answers.ts";
import { publishedVersion } from "./published-version.ts";

/** What ids of tools of agent workflows begin with. */
export const WORKFLOWS = "agents-workflow.agentWorkflows";

type Calls = Pick<PlatformCall<unknown>, "call" | "find">;

/** What every tool answers that writes a draft. */
export const writtenOutput = z.strictObject({
  workflow_id: z.int(),
  slug: z.string(),
  published_version: z.int().nullable().describe("null: nothing of it has been published"),
  draft_revision: z.int().nullable().describe("null: there is no draft"),
  ...problemOutput,
  url: z.string(),
});

export function getWorkflow(call: Calls["call"], id: string | number): Promise<Workflow> {
  return call(`${WORKFLOWS}.get`, { id: String(id) }, WorkflowSchema);
}

/** The draft, where there is one that this client may see. */
export function findDraft({ find }: Pick<Calls, "find">, id: number): Promise<WorkflowDraft | undefined> {
  return find(`${WORKFLOWS}.drafts.get`, { id: String(id) }, WorkflowDraftSchema);
}

/** What is wrong with a definition. */
export async function checkDefinition(
  call: Calls["call"],
  definition: JsonObject,
): Promise<ReturnType<typeof toProblemAnswer>> {
  const answer = z.object({ problems: z.array(ProblemSchema) });
  const { problems } = await call(`${WORKFLOWS}.validate`, { definition }, answer);
  return toProblemAnswer(problems);
}

/**
 * Saves a definition as the draft in the place of a revision, and says what is wrong with it.
 * @throws OvenError STALE_DRAFT 409 with the revision that there is, and as the route does
 */
export async function saveDraft(
  call: Calls["call"],
  workflow: Workflow,
  { definition, revision, publicUrl }: { definition: JsonObject; revision: number; publicUrl: string },
): Promise<z.input<typeof writtenOutput>> {
  const given = { id: String(workflow.id), definition, baseVersion: workflow.version, revision };
  const draft = await call(`${WORKFLOWS}.drafts.save`, given, WorkflowDraftSchema).catch(withoutDraft);
  return toWritten(workflow, draft, await checkDefinition(call, definition), publicUrl);
}

export function toWritten(
  workflow: Workflow,
  draft: WorkflowDraft | undefined,
  problems: ReturnType<typeof toProblemAnswer>,
  publicUrl: string,
): z.input<typeof writtenOutput> {
  const { id, slug } = workflow;
  return {
    ...{ workflow_id: id, slug, published_version: publishedVersion(workflow) },
    draft_revision: draft?.revision ?? null,
    ...problems,
    url: urlOf(publicUrl, id),
  };
}

/** The page of an agent workflow. */
export function urlOf(publicUrl: string, id: number): string {
  return `${publicUrl}/agent-workflows/${id}/show`;
}

/** A model reads the error: the draft itself, which editors merge with, would be as long as the graph. */
function withoutDraft(error: unknown): never {
  if (!isOvenError(error) || error.code !== "STALE_DRAFT") throw error;
  const { revision } = z.object({ revision: z.int().optional() }).parse(error.details?.current ?? {});
  throw new OvenError("STALE_DRAFT", error.message, {
    status: 409,
    path: "$.draft_revision",
    fix: "Read the draft with read_steps or get_agent_workflow, and make your change to that revision.",
    details: { revision: revision ?? null },
  });
}
