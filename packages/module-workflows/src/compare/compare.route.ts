import { IdOrSlugSchema } from "@oven/contract";
import { compareDefinitions, VersionComparisonSchema } from "@oven/contract/workflow";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";

const VersionNumber = z.coerce.number().int().positive().max(2_147_483_647);

export function compareRoute(
  { kind, resource, title }: WorkflowKind,
  deps: () => { workflows: WorkflowService },
): Route {
  return defineRoute({
    method: "GET",
    path: `${resource}/[id]/versions/compare`,
    operation: `${kind === "workflow" ? "workflows" : "agentWorkflows"}.compare`,
    summary: `What two versions of ${withArticle(title)} differ in, by state`,
    access: { permission: `${resource}.read` },
    effect: "pure",
    params: z.object({ id: IdOrSlugSchema }),
    query: z.object({ from: VersionNumber, to: VersionNumber }),
    response: VersionComparisonSchema,
    handler: async ({ principal, params, query: { from, to } }) => {
      const { workflows } = deps();
      const { id } = await workflows.get(principal, params.id);
      const [before, after] = await Promise.all([workflows.pinned(id, from), workflows.pinned(id, to)]);
      return ok({ from, to, ...compareDefinitions(before.definition, after.definition) });
    },
  });
}
