import { withoutSource } from "@oven/contract/format";
import { CreateWorkflowSchema, ImportedWorkflowSchema } from "@oven/contract/workflow";
import type { NodeCatalog } from "@oven/engine";
import { created, defineRoute, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import { normalizeDialect } from "./normalize-dialect.ts";

const DEFINITION_LIMIT = 8 * 1_048_576;

/** Takes what POST refuses: definitions in the forms of other systems. */
export function importRoute(
  { kind, resource, title }: WorkflowKind,
  deps: () => { workflows: WorkflowService; catalog: NodeCatalog },
): Route {
  return defineRoute({
    method: "POST",
    path: `${resource}/import`,
    operation: `${kind === "workflow" ? "workflows" : "agentWorkflows"}.import`,
    delegates: true,
    summary: `Create and publish ${withArticle(title)} from another dialect; \`changes\` says what was rewritten`,
    access: { permission: `${resource}.create` },
    effect: "at-least-once",
    body: CreateWorkflowSchema,
    bodyLimit: DEFINITION_LIMIT,
    response: ImportedWorkflowSchema,
    handler: async ({ principal, body }) => {
      const { workflows, catalog } = deps();
      const { definition, changes } = normalizeDialect(body.definition, (src, key) => {
        const input = catalog.get(src)?.input;
        return input instanceof z.ZodObject ? Object.hasOwn(input.shape, key) : undefined;
      });
      const workflow = await workflows.create(principal, { ...body, definition: withoutSource(definition) });
      return created({ ...workflow, changes });
    },
  });
}
