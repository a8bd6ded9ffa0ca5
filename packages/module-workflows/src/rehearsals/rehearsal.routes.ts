import { IdOrSlugSchema, ProblemSchema } from "@oven/contract";
import {
  RehearsalSchema,
  RehearseBodySchema,
  RehearsedSidesSchema,
  RehearseRunBodySchema,
  SeenDifferenceSchema,
} from "@oven/contract/run";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import { DEFINITION_LIMIT } from "../definitions/workflow.routes.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import type { RehearsalService } from "./rehearsal-service.ts";

/** What past runs come to on a draft. */
export function rehearsalRoutes(
  { kind, resource, title }: WorkflowKind,
  deps: () => { rehearsals: RehearsalService; policies: PolicyService },
): Route[] {
  const params = z.object({ id: IdOrSlugSchema, executionId: z.coerce.number().int().positive() });
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
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/publish-check`,
      operation: false,
      summary: `What the policies about past runs have against publishing the draft of ${withArticle(title)}`,
      description: "Goes through the runs anew, as publishing does. Errors refuse it.",
      access: { permission: `${resource}.update` },
      effect: "pure",
      audited: false,
      params: z.object({ id: IdOrSlugSchema }),
      body: RehearseRunBodySchema,
      bodyLimit: DEFINITION_LIMIT,
      response: z.strictObject({ problems: z.array(ProblemSchema) }),
      handler: async ({ principal, params: { id }, body }) => {
        const { rehearsals, policies } = deps();
        const { workflowId, definition } = await rehearsals.toPublish(principal, id, body);
        return ok({ problems: await policies.checkPastRuns(principal, { kind, id: workflowId }, definition) });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/rehearse/[executionId]`,
      operation: `${kind === "workflow" ? "workflows" : "agentWorkflows"}.rehearseRun`,
      summary: `One past run of ${withArticle(title)} and what it comes to on a changed definition, step by step`,
      description: "As `rehearse` for one run, with what every step was given and what it gave on both sides.",
      access: { permission: `${resource}.update` },
      effect: "pure",
      audited: false,
      params,
      body: RehearseRunBodySchema,
      bodyLimit: DEFINITION_LIMIT,
      response: RehearsedSidesSchema,
      handler: async ({ principal, params: { id, executionId }, body }) =>
        ok(await deps().rehearsals.sides(principal, id, executionId, body)),
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/rehearse/[executionId]/seen`,
      // People look; a workflow cannot.
      operation: false,
      summary: `Note that you have looked at what a past run comes to on the draft of ${withArticle(title)}`,
      access: { permission: `${resource}.update` },
      effect: "idempotent",
      params,
      body: SeenDifferenceSchema,
      response: RehearsedSidesSchema,
      handler: async ({ principal, params: { id, executionId }, body }) =>
        ok(await deps().rehearsals.see(principal, id, executionId, body)),
    }),
  ]);
}
