import {
  type McpServer,
  type ReadResourceResult,
  ResourceTemplate,
  type Variables,
} from "@modelcontextprotocol/server";
import { isGranted, isOvenError, notFound, type Principal } from "@oven/contract";
import { decodeText, isTextType, mediaTypeOf } from "@oven/contract/text";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { type RunCalls, type WorkflowFace, withPublicErrors } from "@oven/module-workflows";
import { registerDocuments } from "./document-resources.ts";

export interface ResourceDeps {
  workflow: { id: number; name: string; slug: string };
  principal: Principal;
  face: WorkflowFace;
  services: Pick<ServiceMap, "blobs" | "documents">;
  calls: RunCalls;
}

const JSON_TYPE = "application/json";

/** What is the workflow's own: the definition, the traces of runs, what runs have made, and the documents that it looks things up in; each as far as the client may see it. */
export function registerResources(server: McpServer, deps: ResourceDeps): void {
  const { permissions } = deps.principal;
  if (isGranted(permissions, "agent-workflows.read")) registerDefinition(server, deps);
  registerRuns(server, deps);
  registerBlobs(server, deps);
  if (isGranted(permissions, "vector-stores.read")) registerDocuments(server, deps);
}

function registerDefinition(server: McpServer, { workflow, principal, face }: ResourceDeps): void {
  const { id, name, slug } = workflow;
  server.registerResource(
    "definition",
    `oven://workflows/${slug}`,
    { title: name, description: `The definition of the workflow ${name}`, mimeType: JSON_TYPE },
    withPublicErrors(async ({ href }: URL) => {
      requirePermission(principal, "agent-workflows.read");
      const { definition, version } = await face.workflows.get(principal, String(id));
      return toJson(href, { name, slug, version, definition });
    }),
  );
}

/** Runs of this client; others with the permission. */
function registerRuns(server: McpServer, { workflow, principal, face, calls }: ResourceDeps): void {
  const newest = async () => (await calls.list({ limit: 20 })).runs;
  server.registerResource(
    "run",
    new ResourceTemplate("oven://runs/{id}", {
      list: withPublicErrors(async () => ({
        resources: (await newest()).map(({ id, status }) => ({
          uri: `oven://runs/${id}`,
          name: `run-${id}`,
          title: `Run ${id}, ${status}`,
          mimeType: JSON_TYPE,
        })),
      })),
      complete: {
        id: withPublicErrors(async (begun: string) =>
          (await newest()).map(({ id }) => String(id)).filter((id) => id.startsWith(begun)),
        ),
      },
    }),
    {
      title: "Run",
      description: `The trace of a run of ${workflow.name}: steps, outputs, errors`,
      mimeType: JSON_TYPE,
    },
    withPublicErrors(async ({ href }: URL, { id }: Variables) => {
      const runId = toId(id, "execution");
      await calls.requireOwn(runId, "executions.read");
      return toJson(href, await face.runs.reader.shown(principal, runId));
    }),
  );
}

export function toArtefactUri(blobId: number): string {
  return `oven://blobs/${blobId}`;
}

function registerBlobs(server: McpServer, { principal, services, calls }: ResourceDeps): void {
  server.registerResource(
    "artefact",
    new ResourceTemplate("oven://blobs/{id}", { list: undefined }),
    { title: "Artefact", description: "A file or a large output that a run has made" },
    withPublicErrors(async ({ href }: URL, { id }: Variables) => {
      const { executionId, mediaType, data } = await services.blobs.read(toId(id, "content"), principal);
      if (executionId === 0) requirePermission(principal, "executions.read");
      else await calls.requireOwn(executionId, "executions.read");
      return { contents: [{ uri: href, ...toContent(mediaType, data) }] };
    }),
  );
}

/** Text as text, which MCP carries in UTF-8; what is no text in its charset goes as the bytes it is. */
function toContent(mediaType: string, data: Uint8Array): { mimeType: string } & ({ text: string } | { blob: string }) {
  if (isTextType(mediaType)) {
    try {
      return { mimeType: mediaTypeOf(mediaType), text: decodeText(data, { contentType: mediaType }).text };
    } catch (error) {
      if (!isOvenError(error)) throw error;
    }
  }
  return { mimeType: mediaType, blob: Buffer.from(data).toString("base64") };
}

export function toJson(uri: string, value: unknown): ReadResourceResult {
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value, null, 2) }] };
}

/** @throws OvenError NOT_FOUND */
function toId(value: string | string[] | undefined, what: string): number {
  if (typeof value === "string" && /^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw notFound(what, String(value));
}
