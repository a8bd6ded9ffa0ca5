import { type JsonObject, notFound } from "@oven/contract";
import type { FormatDocuments } from "../../shared/define-format.ts";
import { ownerOf } from "../../shared/owner.ts";
import type { LinearParts } from "./linear-parts.ts";
import type { WorkflowRow } from "./linear-source.ts";
import { Uuid } from "./route-parts.ts";

const toRow = ({ uuid, name, workflowId, updatedAt }: WorkflowRow) => ({
  ...{ id: uuid, name, agent_workflow_id: workflowId, updated_at: updatedAt.toISOString() },
});

/** Linear workflows are made step by step; one as a whole is given as what an export answers. */
export function linearDocuments({
  workflows,
  store,
  documents,
}: Pick<LinearParts, "workflows" | "store" | "documents">): FormatDocuments {
  return {
    list: async (principal) => (await store.listWorkflows(ownerOf(principal))).map(toRow),
    get: async (principal, id) => toRow(await store.workflow(ownerOf(principal), readUuid(id))),
    export: async (principal, id) => (await workflows.getWithDetails(principal, readUuid(id))) as unknown as JsonObject, // cast: it is JSON
    import: async (principal, source) => toRow(await documents.import(principal, source)),
    compile: async (principal, source) => {
      const definition = await documents.compile(principal, source);
      return { definition: definition as unknown as JsonObject, warnings: [] }; // cast: a definition is JSON
    },
  };
}

function readUuid(id: string): string {
  const { data } = Uuid.safeParse(id);
  if (data === undefined) throw notFound("linear workflow", id);
  return data;
}
