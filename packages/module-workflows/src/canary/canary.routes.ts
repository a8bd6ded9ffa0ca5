import { IdOrSlugSchema } from "@oven/contract";
import { CanaryReportSchema, SetCanaryBodySchema, WorkflowSchema } from "@oven/contract/workflow";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import type { CanaryService } from "./canary-service.ts";

const Params = z.object({ id: IdOrSlugSchema });

/** A version that takes a part of the new runs. */
export function canaryRoutes({ resource, title }: WorkflowKind, deps: () => { canaries: CanaryService }): Route[] {
  const path = `${resource}/[id]/canary`;
  const publish = { permission: `${resource}.update` };
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path,
      operation: false,
      summary: `The candidate of ${withArticle(title)} beside the live version, since it takes runs`,
      access: { permission: `${resource}.read` },
      effect: "pure",
      params: Params,
      response: CanaryReportSchema,
      handler: async ({ principal, params }) => ok(await deps().canaries.report(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path,
      operation: false,
      summary: `Let a share of the new runs of ${withArticle(title)}, or those of some callers, take another version`,
      description:
        "The draft is published as a version that is not live. Runs that have begun keep their version. With `rollback` it ends when more of its runs fail than that allows.",
      access: publish,
      effect: "idempotent",
      params: Params,
      body: SetCanaryBodySchema,
      response: CanaryReportSchema,
      handler: async ({ principal, params, body }) => ok(await deps().canaries.set(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path,
      operation: false,
      summary: "Let all new runs take the live version again",
      access: publish,
      effect: "idempotent",
      params: Params,
      response: CanaryReportSchema,
      handler: async ({ principal, params }) => ok(await deps().canaries.stop(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: `${path}/promote`,
      operation: false,
      summary: "Publish the candidate as the newest version",
      access: publish,
      effect: "at-least-once",
      params: Params,
      response: WorkflowSchema,
      handler: async ({ principal, params }) => ok(await deps().canaries.promote(principal, params.id)),
    }),
  ]);
}
