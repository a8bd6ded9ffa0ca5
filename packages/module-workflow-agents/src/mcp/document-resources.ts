import { type McpServer, ResourceTemplate, type Variables } from "@modelcontextprotocol/server";
import { isOvenError, type ListParams, notFound, type Principal } from "@oven/contract";
import type { KnowledgeDocument } from "@oven/contract/ai";
import type { Definition } from "@oven/contract/workflow";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { type WorkflowFace, withPublicErrors } from "@oven/module-workflows";
import { referencesOf } from "./definition-references.ts";

export interface DocumentDeps {
  workflow: { id: number; name: string };
  principal: Principal;
  face: WorkflowFace;
  services: Pick<ServiceMap, "documents">;
}

const PERMISSION = "vector-stores.read";
/** Of each vector store; all others can be read, too, by who knows their id. */
const LATEST: ListParams = {
  sort: { field: "updatedAt", order: "DESC" },
  range: { first: 0, last: 19 },
  filter: {},
};

/** The text of documents in the vector stores that the workflow names; other stores are not reached through it. */
export function registerDocuments(server: McpServer, deps: DocumentDeps): void {
  const { workflow, principal, services } = deps;
  server.registerResource(
    "document",
    new ResourceTemplate("oven://vector-stores/{store}/documents/{id}", {
      list: withPublicErrors(async () => {
        const lists = (await storesOf(deps)).map(async (store) =>
          (await latestOf(deps, store)).map(({ id, title, chunks }) => ({
            uri: `oven://vector-stores/${store}/documents/${id}`,
            name: `document-${id}`,
            title,
            description: `A document of ${store}, found by ${chunks} passages`,
            mimeType: "text/plain",
          })),
        );
        return { resources: (await Promise.all(lists)).flat() };
      }),
    }),
    {
      title: "Document",
      description: `The text of a document that ${workflow.name} looks things up in`,
      mimeType: "text/plain",
    },
    withPublicErrors(async ({ href }: URL, { store, id }: Variables) => {
      requirePermission(principal, PERMISSION);
      const named = (await storesOf(deps)).find((one) => one === store);
      if (named === undefined || typeof id !== "string" || !/^[1-9]\d{0,14}$/.test(id))
        throw notFound("document", href);
      const text = await services.documents.text(principal.tenantId, named, Number(id));
      if (text === null) throw notFound("text of the document", href);
      return { contents: [{ uri: href, mimeType: "text/plain", text }] };
    }),
  );
}

async function storesOf({ workflow, principal, face }: DocumentDeps): Promise<string[]> {
  const { definition } = await face.workflows.get(principal, String(workflow.id));
  return referencesOf(definition as unknown as Definition).stores; // cast: only valid ones are saved
}

/** None of a store that is named and does not exist, or no longer. */
async function latestOf({ principal, services }: DocumentDeps, store: string): Promise<KnowledgeDocument[]> {
  try {
    return (await services.documents.list(principal, store, LATEST)).documents;
  } catch (error) {
    if (isOvenError(error) && error.code === "NOT_FOUND") return [];
    throw error;
  }
}
