import { IdOrSlugSchema } from "@oven/contract";
import { RehearsalSchema, RehearseBodySchema } from "@oven/contract/run";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import { DEFINITION_LIMIT } from "../definitions/workflow.routes.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import type { RehearsalService } from "./rehearsal-service.ts";

/** What past runs come to on a draft. */
export function rehearsalRoutes(
  { kind, resource, title }: WorkflowKind,
  deps: () => { rehearsals: RehearsalService },
): Route[] {
  return keepToWorkflows([
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/rehearse`,
      operation: `${kind === "workflow" ? "workflows" : "agentWorkflows"}.rehearse`,
      summary: `Go through past runs of ${withArticle(title)} on a changed definition, without calling anything`,
      description:
        "Steps that only compute are computed; every other call gets the answer that was recorded for the same input, and people's decisions and events come as they came. `unknown` where an answer decides that was not recorded. Needs the permission to read runs, too.",
      access: { permission: `${resource}.update` },
      effect: "pure",
      audited: false,
      params: z.object({ id: IdOrSlugSchema }),
      body: RehearseBodySchema,
      bodyLimit: DEFINITION_LIMIT,
      response: RehearsalSchema,
      handler: async ({ principal, params, body, signal }) =>
        ok(await deps().rehearsals.rehearse(principal, params.id, body, signal)),
    }),
  ]);
}
