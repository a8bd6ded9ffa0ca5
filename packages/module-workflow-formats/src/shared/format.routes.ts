import { isGranted, JsonObjectSchema, notFound, OvenError } from "@oven/contract";
import {
  CompiledFormatSchema,
  FormatSourceSchema,
  FormatWorkflowSchema,
  WorkflowFormatSchema,
  withoutSource,
} from "@oven/contract/format";
import { WorkflowSchema } from "@oven/contract/workflow";
import {
  created,
  defineRoute,
  ok,
  type Permission,
  READING_ROLES,
  type Route,
  requirePermission,
  type ServiceMap,
} from "@oven/module-registry";
import { z } from "zod";
import type { WorkflowFormat } from "./define-format.ts";

export const formatPermissions: Permission[] = [
  {
    id: "workflow-formats.read",
    title: "See documents of other workflow formats, where the format allows it",
    roles: READING_ROLES,
  },
  {
    id: "workflow-formats.create",
    title: "Import documents of other workflow formats, where the format allows it",
    roles: ["editor"],
  },
];

const mayRead = { permission: "workflow-formats.read" };
const mayCreate = { permission: "workflow-formats.create" };
const OneFormat = z.object({ format: z.string().min(1).max(64) });
const OneDocument = OneFormat.extend({ workflow: z.string().min(1).max(100) });
const BODY_LIMIT = 8 * 1_048_576;

/** What all formats have: their documents as a list, import and export, and the way out of them. */
export function formatRoutes(formats: readonly WorkflowFormat[], services: () => ServiceMap): Route[] {
  const formatOf = (asked: string): WorkflowFormat => {
    const found = formats.find(({ id }) => id === asked);
    if (found === undefined) throw notFound("workflow format", asked);
    return found;
  };
  return [
    defineRoute({
      method: "GET",
      path: "workflow-formats",
      operation: "formats.list",
      summary: "The workflow formats of other systems whose documents run here",
      access: mayRead,
      effect: "pure",
      response: z.array(WorkflowFormatSchema),
      handler: async ({ principal }) =>
        ok(
          formats
            .filter(({ resource }) => isGranted(principal.permissions, `${resource}.read`))
            .map(({ id, title }) => ({ format: id, title })),
        ),
    }),
    defineRoute({
      method: "GET",
      path: "workflow-formats/[format]",
      operation: "formats.listDocuments",
      summary: "One's documents of a format, with the agent workflows they compile to",
      access: mayRead,
      effect: "pure",
      params: OneFormat,
      response: z.array(FormatWorkflowSchema),
      handler: async ({ principal, params }) => {
        const format = formatOf(params.format);
        requirePermission(principal, `${format.resource}.read`);
        return ok((await format.documents().list(principal)).map((row) => ({ format: format.id, ...row })));
      },
    }),
    defineRoute({
      method: "POST",
      path: "workflow-formats/[format]/compile",
      operation: "formats.compile",
      summary: "The definition that a document compiles to; nothing is stored",
      access: mayRead,
      effect: "pure",
      params: OneFormat,
      body: FormatSourceSchema,
      bodyLimit: BODY_LIMIT,
      response: CompiledFormatSchema,
      handler: async ({ principal, params, body }) => {
        const format = formatOf(params.format);
        requirePermission(principal, `${format.resource}.read`);
        return ok(await format.documents().compile(principal, body.source));
      },
    }),
    defineRoute({
      method: "POST",
      path: "workflow-formats/[format]/import",
      operation: "formats.import",
      summary: "Make a workflow of a document as text; errors name line, column and path",
      access: mayCreate,
      effect: "at-least-once",
      params: OneFormat,
      body: FormatSourceSchema,
      bodyLimit: BODY_LIMIT,
      response: FormatWorkflowSchema,
      handler: async ({ principal, params, body }) => {
        const format = formatOf(params.format);
        requirePermission(principal, `${format.resource}.create`);
        return created({ format: format.id, ...(await format.documents().import(principal, body.source)) });
      },
    }),
    defineRoute({
      method: "GET",
      path: "workflow-formats/[format]/[workflow]/export",
      operation: "formats.export",
      summary: "The document of a workflow, in its format",
      access: mayRead,
      effect: "pure",
      params: OneDocument,
      response: JsonObjectSchema,
      handler: async ({ principal, params }) => {
        const format = formatOf(params.format);
        requirePermission(principal, `${format.resource}.read`);
        return ok(await format.documents().export(principal, params.workflow));
      },
    }),
    defineRoute({
      method: "POST",
      path: "workflow-formats/[format]/[workflow]/convert",
      operation: "formats.convert",
      summary: "A copy of what a document compiles to, as an agent workflow of one's own; there is no way back",
      access: mayCreate,
      effect: "at-least-once",
      params: OneDocument,
      response: WorkflowSchema,
      handler: async ({ principal, params }) => {
        const format = formatOf(params.format);
        requirePermission(principal, `${format.resource}.read`);
        requirePermission(principal, "agent-workflows.create");
        const { name, agent_workflow_id: id } = await format.documents().get(principal, params.workflow);
        if (id === null) {
          throw new OvenError("WORKFLOW_INCOMPLETE", `${name} cannot run yet, so there is nothing to copy`, {
            status: 422,
            fix: "Complete it first.",
          });
        }
        const { workflows } = services().workflowPlatform.face("agent-workflow");
        const { description, definition } = await workflows.get(principal, String(id));
        const copy = { name: `${name} (canvas)`, description, definition: withoutSource(definition) };
        return created(await workflows.create(principal, copy));
      },
    }),
  ];
}
