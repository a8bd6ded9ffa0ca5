import { isOvenError, type JsonObject, type Principal } from "@oven/contract";
import { type WorkflowDraft, WorkflowDraftSchema, WorkflowSchema } from "@oven/contract/workflow";
import type { ToolRun } from "@oven/module-registry";
import type { AskCatalogue } from "@oven/module-workflow-agents";
import type { DeskRow } from "./desk-rows.ts";

export const WORKFLOWS = "agents-workflow.agentWorkflows";

/** A call of one of the builder's tools, or of one of its nodes. */
export interface DeskCaller {
  principal: Principal;
  run: ToolRun;
  /** Calls a tool of the catalogue as the run. */
  ask: AskCatalogue;
}

/** What one run of the builder works on, and how its calls reach the catalogue. */
export interface Desk {
  row: DeskRow;
  ask: AskCatalogue;
}

/** The draft as it is, or without one what is published, at revision 0. @throws OvenError as the routes do */
export async function readDraft(ask: AskCatalogue, id: number): Promise<{ definition: JsonObject; revision: number }> {
  const draft = await findDraft(ask, id);
  if (draft !== undefined) return draft;
  const { definition } = WorkflowSchema.parse(await ask(`${WORKFLOWS}.get`, { id: String(id) }));
  return { definition, revision: 0 };
}

async function findDraft(ask: AskCatalogue, id: number): Promise<WorkflowDraft | undefined> {
  try {
    return WorkflowDraftSchema.parse(await ask(`${WORKFLOWS}.drafts.get`, { id: String(id) }));
  } catch (error) {
    if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
