import { type Json, type JsonObject, JsonObjectSchema, notFound, OvenError, type Principal } from "@oven/contract";
import { SaveDraftSchema, type WorkflowDraft } from "@oven/contract/workflow";
import type { ServiceMap } from "@oven/module-registry";
import type { ProposalRow } from "./builder-proposals.table.ts";
import type { ProposalRows } from "./proposal-rows.ts";

const WORKFLOWS = "agents-workflow.agentWorkflows";

/** Calls a tool of the catalogue. @throws OvenError as the tool does */
type Ask = (id: string, args: JsonObject) => Promise<Json>;

/** A run that calls tools, and how its calls reach the catalogue otherwise. */
export interface CallingRun {
  principal: Principal;
  executionId: number;
  ask: Ask;
}

export interface ProposalDeskDeps {
  tools: ServiceMap["tools"];
  rows: ProposalRows;
}

/**
 * How the calls of a run that repairs reach the catalogue: its draft is the proposal, and nothing else is changed or run. A person's draft is
 * neither read nor written.
 * @returns undefined for a run that repairs nothing
 */
export async function proposalDesk(deps: ProposalDeskDeps, caller: CallingRun): Promise<Ask | undefined> {
  const begun = await deps.rows.find(caller.principal, caller.executionId);
  if (begun === undefined) return undefined;
  const { workflowId } = begun;
  return async (id, args) => {
    if (String(args.id) === String(workflowId)) {
      if (id === `${WORKFLOWS}.drafts.get`) return toAnswer(await read(deps, caller));
      if (id === `${WORKFLOWS}.drafts.save`) return toAnswer(await save(deps, caller, args));
      if (id === `${WORKFLOWS}.rehearse` || id === `${WORKFLOWS}.rehearseRun`)
        return caller.ask(id, await withProposal(deps, caller, args));
    }
    if (deps.tools.get(id, caller.principal.tenantId)?.effect === "pure") return caller.ask(id, args);
    throw new OvenError("FORBIDDEN", `A repair changes its proposal only: ${id} is not called`, {
      status: 403,
      fix: "Change the steps of the proposal. It is proved once you are done.",
    });
  };
}

async function read({ rows }: ProposalDeskDeps, { principal, executionId }: CallingRun): Promise<WorkflowDraft> {
  const row = await rows.get(principal, executionId);
  const draft = toDraft(row);
  if (draft === undefined) throw notFound("the draft of", row.workflowName);
  return draft;
}

/** @throws OvenError STALE_DRAFT 409 */
async function save(
  { rows }: ProposalDeskDeps,
  { principal, executionId }: CallingRun,
  args: JsonObject,
): Promise<WorkflowDraft> {
  const { definition, revision } = SaveDraftSchema.parse({
    ...{ definition: args.definition, baseVersion: args.baseVersion, revision: args.revision },
  });
  const saved = await rows.save(principal, executionId, { definition, revision });
  const draft = saved && toDraft(saved);
  if (draft !== undefined) return draft;
  const { workflowName, revision: now } = await rows.get(principal, executionId);
  throw new OvenError("STALE_DRAFT", `The proposal for ${workflowName} is at revision ${now} by now`, {
    status: 409,
    fix: "Read it again, and change that.",
    details: { revision: now },
  });
}

/** Past runs are tried on the proposal, where nothing else is sent. */
async function withProposal(
  { rows }: ProposalDeskDeps,
  { principal, executionId }: CallingRun,
  args: JsonObject,
): Promise<JsonObject> {
  if (args.definition !== undefined) return args;
  const { definition } = await rows.get(principal, executionId);
  return definition === null ? args : { ...args, definition };
}

/** The proposal as the draft of its run. */
function toDraft({ definition, revision, updatedAt, baseVersion }: ProposalRow): WorkflowDraft | undefined {
  if (definition === null || revision === 0) return undefined;
  return { definition, revision, baseVersion, updatedAt: updatedAt.toISOString(), updatedBy: null };
}

function toAnswer(draft: WorkflowDraft): Json {
  return JsonObjectSchema.parse(draft);
}
