import { IdOrSlugSchema } from "@oven/contract";
import { ExecuteQuerySchema, ExecutionSummarySchema } from "@oven/contract/run";
import {
  ChangeTestDataSchema,
  ExecuteDraftSchema,
  SaveDraftSchema,
  TEST_DATA_LIMIT,
  TestDataSchema,
  WorkflowDraftSchema,
} from "@oven/contract/workflow";
import { defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import { DEFINITION_LIMIT } from "../definitions/workflow.routes.ts";
import { payloadOf } from "../executions/check-payload.ts";
import type { RunService } from "../executions/run-service.ts";
import { startedReply } from "../executions/started-reply.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import type { DraftService } from "./draft-service.ts";
import type { TestDataService } from "./test-data-service.ts";

const Params = z.object({ id: IdOrSlugSchema });

/** The routes of drafts, for either kind: for editors, and for clients that build workflows as people do. */
export function draftRoutes(
  { kind, resource, title }: WorkflowKind,
  deps: () => { drafts: DraftService; runs: RunService; testData: TestDataService },
): Route[] {
  const path = `${resource}/[id]/draft`;
  const operation = (verb: string) => `${kind === "workflow" ? "workflows" : "agentWorkflows"}.${verb}`;
  const access = { permission: `${resource}.update` };
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path,
      operation: operation("drafts.get"),
      summary: `The draft of ${withArticle(title)}; 404 when there is none`,
      access,
      effect: "pure",
      params: Params,
      response: WorkflowDraftSchema,
      handler: async ({ principal, params }) => ok(await deps().drafts.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path,
      operation: operation("drafts.save"),
      delegates: true,
      summary: `Save the draft of ${withArticle(title)}; it need not be valid`,
      description:
        "Replaces the `revision` that is named, 0 for the first. When there is another by now: 409 with it in `details.current`.",
      access,
      effect: "idempotent",
      audited: false,
      params: Params,
      body: SaveDraftSchema,
      bodyLimit: DEFINITION_LIMIT,
      response: WorkflowDraftSchema,
      handler: async ({ principal, params, body }) => ok(await deps().drafts.save(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path,
      operation: operation("drafts.discard"),
      summary: `Discard the draft of ${withArticle(title)}, if it is of the revision that is named`,
      access,
      effect: "idempotent",
      params: Params,
      query: z.object({ revision: z.coerce.number().int().positive().max(2_147_483_647).optional() }),
      handler: async ({ principal, params, query }) => {
        await deps().drafts.discard(principal, params.id, query.revision);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/test-data`,
      operation: operation("testData.get"),
      summary: `Inputs and pinned outputs that the editors of ${withArticle(title)} test it with`,
      access,
      effect: "pure",
      params: Params,
      response: TestDataSchema,
      handler: async ({ principal, params }) => ok(await deps().testData.get(principal, params.id)),
    }),
    defineRoute({
      method: "PATCH",
      path: `${resource}/[id]/test-data`,
      operation: operation("testData.change"),
      summary: `Keep inputs and pinned outputs to test ${withArticle(title)} with; null takes one away, what is not named stays`,
      access,
      effect: "idempotent",
      audited: false,
      params: Params,
      body: ChangeTestDataSchema,
      bodyLimit: TEST_DATA_LIMIT,
      response: TestDataSchema,
      handler: async ({ principal, params, body }) => ok(await deps().testData.change(principal, params.id, body)),
    }),
    defineRoute({
      method: "POST",
      path: `${path}/execute`,
      operation: operation("drafts.execute"),
      delegates: true,
      summary: `Run the draft of ${withArticle(title)} as a test`,
      description:
        "Needs the permission to run, too. The run's `triggerEvent` is `test` and its `workflowVersion` the draft's revision below zero. With `conversation` it is a turn of one, whose `sessionId` is below zero, too. `wait` and `Idempotency-Key` as for any run.",
      access,
      effect: "at-least-once",
      params: Params,
      query: ExecuteQuerySchema,
      body: ExecuteDraftSchema,
      dataSchema: async ({ params, principal }) => payloadOf(await deps().drafts.latest(principal, params.id)),
      response: ExecutionSummarySchema,
      handler: async ({ principal, params, query, body, request, signal }) => {
        const { drafts, runs } = deps();
        const key = request.headers.get("idempotency-key") ?? undefined;
        const started = await drafts.execute(principal, params.id, body, key);
        return startedReply(runs, principal, started, query.wait, signal);
      },
    }),
  ]);
}
