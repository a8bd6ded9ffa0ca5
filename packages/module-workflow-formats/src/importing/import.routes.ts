import { isOvenError, type JsonObject, type Principal, type Problem } from "@oven/contract";
import { FormatSourceSchema } from "@oven/contract/format";
import {
  CreatedFromImportSchema,
  type CreateFromImport,
  CreateFromImportSchema,
  ReadImportSchema,
  StoredImportQuerySchema,
  StoredImportSchema,
  type Workflow,
} from "@oven/contract/workflow";
import { validateDefinition } from "@oven/engine";
import { created, defineRoute, ok, type Route, requirePermission, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { IMPORTERS } from "../importers.ts";
import type { ImportStore } from "./import-store.ts";
import { PRODUCTS } from "./products.ts";
import type { ForeignDraft } from "./read-foreign.ts";
import { readInThread } from "./read-in-thread.ts";

interface Services extends Pick<ServiceMap, "workflowPlatform"> {
  imports: ImportStore;
}

const BODY_LIMIT = 8 * 1_048_576;
/** What publishing a definition says that is not complete yet. */
const INCOMPLETE = new Set(["INVALID_DEFINITION", "REFERENCE_MISSING"]);

/** Workflows of other products: what becomes of them, and making them. */
export function importRoutes(services: () => Services): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "workflow-imports",
      operation: "formats.listImports",
      summary: "The import that made a workflow, with its report; an empty list: it was not imported",
      access: { permission: "workflow-formats.read" },
      effect: "pure",
      query: StoredImportQuerySchema,
      response: z.array(StoredImportSchema),
      handler: async ({ principal, query: { kind, workflowId } }) => {
        const { imports, workflowPlatform } = services();
        requirePermission(principal, `${kind}s.read`);
        await workflowPlatform.face(kind).workflows.get(principal, String(workflowId));
        return ok(await imports.of(kind, workflowId));
      },
    }),
    defineRoute({
      method: "POST",
      path: "workflow-imports/preview",
      operation: "formats.previewImport",
      summary: `What becomes of a workflow of ${PRODUCTS}: a draft of a definition and a report; nothing is stored`,
      access: { permission: "workflow-formats.create" },
      effect: "pure",
      body: FormatSourceSchema,
      bodyLimit: BODY_LIMIT,
      response: ReadImportSchema.extend({ product: z.enum(IMPORTERS.map(({ product }) => product)) }),
      handler: async ({ body, signal }) => {
        const draft = await readInThread(body.source, signal);
        return ok({ ...draft, problems: problemsOf(services(), draft) });
      },
    }),
    defineRoute({
      method: "POST",
      path: "workflow-imports",
      operation: "formats.createFromImport",
      summary: `Make a workflow of one of ${PRODUCTS}; with placeholders it is a draft that cannot be published yet`,
      access: { permission: "workflow-formats.create" },
      effect: "at-least-once",
      body: CreateFromImportSchema,
      bodyLimit: BODY_LIMIT,
      response: CreatedFromImportSchema,
      handler: async ({ principal, body, signal }) => {
        requirePermission(principal, `${body.kind}s.create`);
        const draft = await readInThread(body.source, signal);
        const made = await createFrom(services(), principal, body, draft);
        const { id: workflowId, tenantId } = made.workflow;
        await services().imports.save({ tenantId: tenantId ?? principal.tenantId, kind: body.kind, workflowId }, draft);
        return created({ ...made, problems: problemsOf(services(), draft), report: draft.report });
      },
    }),
  ];
}

function problemsOf({ workflowPlatform }: Services, { definition }: ForeignDraft): Problem[] {
  return validateDefinition(definition, workflowPlatform.nodes).problems;
}

/** Published at once where it can be; else as a draft beside a version that only says what is missing. */
async function createFrom(
  { workflowPlatform }: Services,
  principal: Principal,
  { kind, name, slug }: CreateFromImport,
  draft: ForeignDraft,
): Promise<{ workflow: Workflow; draft: boolean }> {
  const { workflows, drafts } = workflowPlatform.face(kind);
  const about = {
    name: name ?? draft.name.slice(0, 200),
    description: draft.description,
    ...(slug === undefined ? {} : { slug }),
  };
  try {
    return { workflow: await workflows.create(principal, { ...about, definition: draft.definition }), draft: false };
  } catch (error) {
    if (!isOvenError(error) || !INCOMPLETE.has(error.code)) throw error;
  }
  requirePermission(principal, `${kind}s.update`);
  const workflow = await workflows.create(principal, { ...about, definition: UNFINISHED, note: "Made by an import" });
  await drafts.save(principal, String(workflow.id), { definition: draft.definition, baseVersion: 1, revision: 0 });
  return { workflow, draft: true };
}

const UNFINISHED: JsonObject = {
  initial: "unfinished",
  states: {
    unfinished: {
      label: "Not finished",
      description: "The draft of this workflow was imported and still has placeholders.",
      invoke: {
        src: "core.fail",
        input: {
          code: "WORKFLOW_INCOMPLETE",
          message:
            "This workflow was imported and is not finished: replace the placeholders of its draft and publish it.",
        },
      },
    },
  },
};
