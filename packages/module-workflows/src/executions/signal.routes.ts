import { randomUUID } from "node:crypto";
import { IdOrSlugSchema, OvenError } from "@oven/contract";
import { ExecutionSummarySchema, SendEventBodySchema } from "@oven/contract/run";
import { CompileBodySchema, CompiledWorkflowSchema, ExportFormatSchema } from "@oven/contract/workflow";
import { toMermaid, toTypeScript, toXStateJson } from "@oven/engine";
import { accepted, defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { DEFINITION_LIMIT } from "../definitions/workflow.routes.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import type { RunService } from "./run-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });

/** What reaches a run from outside, and what its graph looks like to others. */
export function signalRoutes(
  kind: WorkflowKind,
  deps: () => { runs: RunService; workflows: WorkflowService },
): Route[] {
  const { resource, executionResource, title } = kind;
  const names = kind.kind === "workflow" ? "workflow" : "agentWorkflow";
  return [
    defineRoute({
      method: "POST",
      path: `${executionResource}/[id]/events`,
      operation: `${names}Executions.sendEvent`,
      summary: "Send an event to a run: to its `on` handlers and to nodes that wait for it",
      description:
        "202 and the run. What nothing is waiting for changes nothing and is said in the run's log. `Idempotency-Key` makes repeats safe.",
      access: { permission: "executions.signal" },
      effect: "at-least-once",
      params: Params,
      body: SendEventBodySchema,
      response: ExecutionSummarySchema,
      handler: async ({ principal, params, body, request }) => {
        const key = request.headers.get("idempotency-key");
        if (key !== null && (key === "" || key.length > 200)) {
          throw new OvenError("INVALID_REQUEST", "Idempotency-Key must have 1 to 200 characters", {
            path: "$headers.idempotency-key",
          });
        }
        const { execution, replayed } = await deps().runs.sendEvent(principal, params.id, body, key ?? randomUUID());
        return accepted(execution, replayed ? { "idempotency-replayed": "true" } : {});
      },
    }),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/export`,
      operation: false,
      summary: `The published definition of ${withArticle(title)} for XState (JSON or TypeScript) or Mermaid`,
      access: { permission: `${resource}.read` },
      effect: "pure",
      params: z.object({ id: IdOrSlugSchema }),
      query: z.object({ format: ExportFormatSchema }),
      handler: async ({ principal, params, query }) => {
        const definition = await deps().runs.definitionOf(principal, params.id);
        if (query.format === "xstate") return Response.json(toXStateJson(definition));
        const [text, type] =
          query.format === "typescript"
            ? [toTypeScript(definition), "text/typescript"]
            : [toMermaid(definition), "text/vnd.mermaid"];
        return new Response(text, { headers: { "content-type": `${type}; charset=utf-8` } });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/compile`,
      operation: `${names}s.compile`,
      summary: `What ${withArticle(title)} compiles to: its machine for XState, as TypeScript and as a Mermaid diagram`,
      description: "The published definition, or the one in the body; nothing is saved. 400 names every problem.",
      access: { permission: `${resource}.read` },
      effect: "pure",
      bodyLimit: DEFINITION_LIMIT,
      params: z.object({ id: IdOrSlugSchema }),
      body: CompileBodySchema,
      response: CompiledWorkflowSchema,
      handler: async ({ principal, params, body }) =>
        ok(await deps().workflows.compile(principal, params.id, body.definition)),
    }),
  ];
}
