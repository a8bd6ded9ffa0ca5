import type { Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import { type WorkflowNotify, WorkflowNotifySchema } from "@oven/contract/system";
import { defineRoute, ok, type Route, type ServiceMap } from "@oven/module-registry";
import { AGENT, REGULAR } from "@oven/module-workflows";
import { z } from "zod";
import type { WorkflowNotifyRows } from "./workflow-notify-rows.ts";

const Params = z.object({ id: z.string().min(1).max(200) });
const BodySchema = z.strictObject({
  onComplete: WorkflowNotifySchema.shape.onComplete.unwrap(),
  onFailure: WorkflowNotifySchema.shape.onFailure.unwrap(),
});

/** Whether the person who started a run is notified of its end, for each kind of workflow. */
export function workflowNotifyRoutes(deps: () => { notify: WorkflowNotifyRows; services: ServiceMap }): Route[] {
  const targetOf = async (kind: ExecutionKind, principal: Principal, id: string) => {
    const workflow = await deps().services.workflowPlatform.face(kind).workflows.get(principal, id);
    return { kind, workflowId: workflow.id };
  };
  return [AGENT, REGULAR].flatMap(({ kind, resource, title }) => {
    const operation = kind === "workflow" ? "workflowNotify" : "agentWorkflowNotify";
    return [
      defineRoute({
        method: "GET",
        path: `${resource}/[id]/notify`,
        operation: `${operation}.get`,
        summary: `Whether the person who started a run of the ${title} is notified of its end`,
        access: { permission: `${resource}.read` },
        effect: "pure",
        params: Params,
        response: WorkflowNotifySchema,
        handler: async ({ principal, params }) =>
          ok(await deps().notify.of(await targetOf(kind, principal, params.id))),
      }),
      defineRoute({
        method: "PUT",
        path: `${resource}/[id]/notify`,
        operation: `${operation}.update`,
        summary: `Say whether the person who started a run of the ${title} is notified of its end`,
        access: { permission: `${resource}.update` },
        effect: "idempotent",
        params: Params,
        body: BodySchema,
        response: WorkflowNotifySchema,
        handler: async ({ principal, params, body }) => {
          const said: WorkflowNotify = body;
          await deps().notify.set(principal.tenantId, await targetOf(kind, principal, params.id), said);
          return ok(said);
        },
      }),
    ];
  });
}
