import { IdOrSlugSchema, OvenError, type Principal } from "@oven/contract";
import { ResumeBodySchema } from "@oven/contract/review";
import {
  ExecuteBodySchema,
  ExecuteQuerySchema,
  ExecutionSchema,
  ExecutionSummarySchema,
  NodeRunSchema,
  RunDefinitionSchema,
  RunFailuresQuerySchema,
  RunFailuresSchema,
  RunStatsQuerySchema,
  RunStatsSchema,
} from "@oven/contract/run";
import { TEST_RUN } from "@oven/contract/workflow";
import {
  defineRoute,
  ListQuerySchema,
  listReply,
  ok,
  type Reply,
  type Route,
  requirePermission,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import { inReadingOrder } from "../definitions/order-keys.ts";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { FailureService } from "../failures/failure-service.ts";
import type { ReviewService } from "../reviews/review-service.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import { PageQuerySchema, pageReply, toPageRange } from "./answer-rows.ts";
import { payloadOf } from "./check-payload.ts";
import { checkpointRoutes } from "./checkpoint.routes.ts";
import type { CheckpointService } from "./checkpoint-service.ts";
import type { RedriveService } from "./redrive-service.ts";
import type { RunContinuer } from "./run-continuer.ts";
import type { RunService } from "./run-service.ts";
import { signalRoutes } from "./signal.routes.ts";
import { startedReply } from "./started-reply.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });
const MAX_SETTLE_MS = 1_500;

export interface ExecutionRouteDeps {
  runs: RunService;
  workflows: WorkflowService;
  checkpoints: CheckpointService;
  continuer: RunContinuer;
  redrives: RedriveService;
  failures: FailureService;
  reviews: ReviewService;
  exportRun(principal: Principal, id: number): Promise<ReadableStream<Uint8Array>>;
}

/** The routes of runs, for either kind. */
export function executionRoutes(kind: WorkflowKind, deps: () => ExecutionRouteDeps): Route[] {
  const { resource, executionResource, title } = kind;
  const name = kind.kind === "workflow" ? "workflows" : "agentWorkflows";
  const may = (action: string) => ({ permission: `executions.${action}` });
  // About several workflows at once, so closed to keys that are bound to some.
  const failures = defineRoute({
    method: "GET",
    path: `${executionResource}/failures`,
    operation: `${name === "workflows" ? "workflowExecutions" : "agentWorkflowExecutions"}.failures`,
    summary: `Failed runs of ${title}s of the last days by code, step and message`,
    description:
      "Numbers, ids, addresses and what stands in quotes are taken out of messages, so that one cause is one group.",
    access: may("read"),
    effect: "pure",
    query: RunFailuresQuerySchema,
    response: RunFailuresSchema,
    handler: async ({ principal, query }) => ok(await deps().failures.groups(principal, query)),
  });
  const routes = keepToWorkflows([
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/execute`,
      operation: `${name}.execute`,
      delegates: true,
      summary: `Run ${withArticle(title)}`,
      description:
        "202 and the run. `wait` (seconds) answers 200 when it ended or paused in time. `Idempotency-Key` makes repeats safe. `options` run a part of the graph, pin outputs, go dry, or set a budget.",
      access: { permission: `${resource}.execute` },
      effect: "at-least-once",
      params: z.object({ id: IdOrSlugSchema }),
      query: ExecuteQuerySchema,
      body: ExecuteBodySchema,
      dataSchema: async ({ params, principal }) => payloadOf(await deps().workflows.get(principal, String(params.id))),
      response: ExecutionSummarySchema,
      handler: async ({ principal, params, query, body, request, signal, run }) => {
        const { runs } = deps();
        // A person who may only run the workflow gets the model that its author chose.
        if (body.options?.modelSettings !== undefined) requirePermission(principal, `${resource}.update`);
        const started = await runs.execute(principal, {
          workflow: params.id,
          input: body.input,
          priority: body.priority,
          options: body.options,
          idempotencyKey: request.headers.get("idempotency-key") ?? undefined,
          // Which run asked for this one, and at which of its steps.
          triggerEvent:
            run !== undefined ? `run:${run.executionId}/${run.nodeId}` : body.options?.test ? TEST_RUN : undefined,
        });
        return startedReply(runs, principal, started, query.wait, signal);
      },
    }),
    defineRoute({
      method: "GET",
      path: executionResource,
      operation: `${name === "workflows" ? "workflowExecutions" : "agentWorkflowExecutions"}.list`,
      summary: `List runs of ${title}s`,
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(ExecutionSummarySchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().runs.reader.list(principal, params);
        return listReply(executionResource, params, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/stats`,
      operation: false,
      summary: `What runs of ${title}s came to in the last days, by day (UTC) or by workflow`,
      access: may("read"),
      effect: "pure",
      query: RunStatsQuerySchema,
      response: z.array(RunStatsSchema),
      handler: async ({ principal, query }) => ok(await deps().runs.reader.stats(principal, query)),
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]`,
      operation: `${name === "workflows" ? "workflowExecutions" : "agentWorkflowExecutions"}.get`,
      summary: "A run with its context and node runs; of many the newest, and `nodesTotal`",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: ExecutionSchema,
      handler: async ({ principal, params }) => ok(await deps().runs.reader.shown(principal, params.id)),
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/nodes`,
      operation: false,
      summary: "The node runs of a run, in order: `range=[0,999]`",
      access: may("read"),
      effect: "pure",
      params: Params,
      query: PageQuerySchema,
      response: z.array(NodeRunSchema),
      handler: async ({ principal, params, query }) => {
        const range = toPageRange(query);
        const { rows, total } = await deps().runs.reader.nodePage(principal, params.id, range);
        return pageReply("nodes", range, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/definition`,
      operation: false,
      summary: "The definition that a run is pinned to: of its version, or of the draft that it tested",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: RunDefinitionSchema,
      handler: async ({ principal, params }) => {
        const { runs, workflows } = deps();
        const { workflowId, workflowVersion: version } = await runs.reader.row(principal, params.id);
        const pinned = await workflows.pinned(workflowId, version);
        return ok({ version, contentHash: pinned.version.contentHash, definition: inReadingOrder(pinned.definition) });
      },
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/events`,
      operation: false,
      summary: "The run's log as server-sent events, from the beginning, after `Last-Event-ID`, or `from=now`",
      description:
        "With `children=true` the logs of its children too, in one stream; its ids are then opaque. Stays open while the run waits, and closes after `end`.",
      access: may("read"),
      params: Params,
      query: z.object({ from: z.literal("now").optional(), children: z.enum(["true", "false"]).optional() }),
      handler: async ({ principal, params, query, request, signal }) => {
        const last = request.headers.get("last-event-id");
        if (query.children === "true") return deps().runs.familyEvents(principal, params.id, last, signal);
        return deps().runs.events(principal, params.id, toCursor(query.from, last), signal);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${executionResource}/[id]/cancel`,
      operation: `${name === "workflows" ? "workflowExecutions" : "agentWorkflowExecutions"}.cancel`,
      summary: "Cancel a run; no new node starts once this is accepted",
      access: may("cancel"),
      effect: "idempotent",
      params: Params,
      body: z.strictObject({ reason: z.string().max(2_000).optional() }),
      response: ExecutionSchema,
      handler: async ({ principal, params, body, signal }) =>
        ok(await deps().runs.cancel(principal, params.id, body.reason ?? null, signal)),
    }),
    defineRoute({
      method: "POST",
      path: `${executionResource}/[id]/resume`,
      operation: false,
      summary: "Decide the review a paused run waits for",
      access: { permission: "reviews.decide" },
      params: Params,
      body: ResumeBodySchema,
      dataSchema: async ({ params, body, principal }) => {
        const { runs, reviews } = deps();
        await runs.reader.row(principal, params.id);
        const reviewId = await reviews.findForRun(principal, params.id, ResumeBodySchema.parse(body));
        return reviews.dataSchema(principal, reviewId);
      },
      response: ExecutionSchema,
      handler: async ({ principal, params, body, signal }): Promise<Reply> => {
        const { runs, reviews } = deps();
        await runs.reader.row(principal, params.id);
        const reviewId = await reviews.findForRun(principal, params.id, body);
        await reviews.decide(principal, reviewId, body);
        // The decision stands; what follows is shown as far as it got in a moment.
        await runs.settle(principal, params.id, MAX_SETTLE_MS, signal);
        return ok(await runs.reader.shown(principal, params.id));
      },
    }),
    ...signalRoutes(kind, deps),
    ...checkpointRoutes(kind, deps),
  ]);
  return [failures, ...routes];
}

function toCursor(from: "now" | undefined, lastEventId: string | null): { afterSeq: number } | "now" {
  if (lastEventId === null || lastEventId === "") return from === "now" ? "now" : { afterSeq: 0 };
  const afterSeq = Number(lastEventId);
  if (!Number.isSafeInteger(afterSeq) || afterSeq < 0) {
    throw new OvenError("INVALID_REQUEST", "Last-Event-ID must be the id of an event of this run", {
      path: "$headers.last-event-id",
    });
  }
  return { afterSeq };
}
