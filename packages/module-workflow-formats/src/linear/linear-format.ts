import { type JsonObject, notFound } from "@oven/contract";
import { ownerOf } from "../shared/owner.ts";
import type { SourceFormat } from "../shared/source-format.ts";
import type { LinearParts } from "./linear-parts.ts";
import type { WorkflowRow } from "./linear-source.ts";
import { Uuid } from "./route-parts.ts";

const toRow = ({ uuid, name, workflowId, updatedAt }: WorkflowRow) => ({
  ...{ id: uuid, name, agent_workflow_id: workflowId, updated_at: updatedAt.toISOString() },
});

/** Linear workflows are made step by step: there is no document to be given as text. */
export function linearFormat({ workflows, store }: Pick<LinearParts, "workflows" | "store">): SourceFormat {
  return {
    format: "linear",
    title: "Linear workflows",
    resource: "linear-workflows",
    list: async (principal) => (await store.listWorkflows(ownerOf(principal))).map(toRow),
    get: async (principal, id) => toRow(await store.workflow(ownerOf(principal), readUuid(id))),
    export: async (principal, id) => (await workflows.getWithDetails(principal, readUuid(id))) as unknown as JsonObject, // cast: it is JSON
  };
}

function readUuid(id: string): string {
  const { data } = Uuid.safeParse(id);
  if (data === undefined) throw notFound("linear workflow", id);
  return data;
}
