import type { Principal } from "@oven/contract";
import {
  CompatibilityReportSchema,
  EvaluateBodySchema,
  EvaluationSchema,
  ExecutionSummarySchema,
  ForkBodySchema,
  RedriveBodySchema,
  RedriveReportSchema,
  ReplayReportSchema,
  RetryBodySchema,
  RunCheckpointDetailSchema,
  RunCheckpointSchema,
} from "@oven/contract/run";
import { accepted, defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { WorkflowKind } from "../workflow-kind.ts";
import { PageQuerySchema, pageReply, toPageRange } from "./answer-rows.ts";
import type { CheckpointService } from "./checkpoint-service.ts";
import type { RedriveService } from "./redrive-service.ts";
import type { RunContinuer } from "./run-continuer.ts";

const id = z.coerce.number().int().positive();
const Params = z.object({ id });

/** The past of a run, and what begins there. */
export function checkpointRoutes(
  kind: WorkflowKind,
  deps: () => {
    checkpoints: CheckpointService;
    continuer: RunContinuer;
    redrives: RedriveService;
    exportRun(principal: Principal, id: number): Promise<ReadableStream<Uint8Array>>;
  },
): Route[] {
  const { resource, executionResource } = kind;
  const names = kind.kind === "workflow" ? "workflowExecutions" : "agentWorkflowExecutions";
  const read = { permission: "executions.read" };
  const execute = { permission: `${resource}.execute` };
  return [
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/checkpoints`,
      operation: `${names}.checkpoints`,
      summary: "The checkpoints of a run, where it stood after each of its moves: `range=[0,999]`",
      access: read,
      effect: "pure",
      params: Params,
      query: PageQuerySchema,
      response: z.array(RunCheckpointSchema),
      handler: async ({ principal, params, query }) => {
        const range = toPageRange(query);
        const { rows, total } = await deps().checkpoints.page(principal, params.id, range);
        return pageReply("checkpoints", range, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/checkpoints/[seq]`,
      operation: false,
      summary: "A run as it stood at a checkpoint: context, state, and what the move changed",
      access: read,
      effect: "pure",
      params: z.object({ id, seq: id }),
      response: RunCheckpointDetailSchema,
      handler: async ({ principal, params }) => ok(await deps().checkpoints.get(principal, params.id, params.seq)),
    }),
    defineRoute({
      method: "POST",
      path: `${executionResource}/[id]/replay`,
      operation: false,
      summary: "Go through a recorded run again, without calling anything, and say whether it comes out the same",
      access: read,
      effect: "pure",
      params: Params,
      response: ReplayReportSchema,
      handler: async ({ principal, params }) => ok(await deps().checkpoints.replay(principal, params.id)),
    }),
    defineRoute({
      method: "POST",
      path: `${executionResource}/[id]/evaluate`,
      operation: false,
      summary: "Say what an expression or a condition would come to over the context of a run",
      access: read,
      effect: "pure",
      params: Params,
      body: EvaluateBodySchema,
      response: EvaluationSchema,
      handler: async ({ principal, params, body }) => ok(await deps().checkpoints.evaluate(principal, params.id, body)),
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/compatibility`,
      operation: false,
      summary: "Whether a run could go on with another version of its workflow, or with its draft",
      access: read,
      effect: "pure",
      params: Params,
      query: z.object({
        version: z.union([z.enum(["current", "draft"]), z.coerce.number().int().positive()]).default("current"),
        nodeId: z.string().optional(),
      }),
      response: CompatibilityReportSchema,
      handler: async ({ principal, params, query }) =>
        ok(await deps().continuer.compatibility(principal, params.id, query)),
    }),
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/export`,
      operation: false,
      summary: "Everything that is known of a run and of its children, as one JSON file",
      access: read,
      effect: "pure",
      params: Params,
      handler: async ({ principal, params }) => {
        return new Response(await deps().exportRun(principal, params.id), {
          headers: {
            "content-type": "application/json",
            "content-disposition": `attachment; filename="run-${params.id}.json"`,
          },
        });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${executionResource}/[id]/retry`,
      operation: `${names}.retry`,
      delegates: true,
      summary: "Try a run again from the step that failed, as a new run",
      description:
        "202 and the new run. What had finished is not done again. `nodeId` goes on from another step, `version` with another version. `draft` goes on with the draft, as a test: it needs the permission to change the workflow, and `revision` refuses another draft than the one that is meant.",
      access: execute,
      effect: "at-least-once",
      params: Params,
      body: RetryBodySchema,
      response: ExecutionSummarySchema,
      handler: async ({ principal, params, body }) =>
        accepted(await deps().continuer.retry(principal, params.id, body)),
    }),
    defineRoute({
      method: "POST",
      path: `${executionResource}/[id]/fork`,
      operation: `${names}.fork`,
      delegates: true,
      summary: "Begin a new run at a checkpoint of another one, with a patched context if wished",
      access: execute,
      effect: "at-least-once",
      params: Params,
      body: ForkBodySchema,
      response: ExecutionSummarySchema,
      handler: async ({ principal, params, body }) => accepted(await deps().continuer.fork(principal, params.id, body)),
    }),
    defineRoute({
      method: "POST",
      path: `${executionResource}/redrive`,
      operation: `${names}.redrive`,
      delegates: true,
      summary: "Try failed runs again: those named, or all of a workflow that were not tried again yet",
      access: execute,
      effect: "at-least-once",
      body: RedriveBodySchema,
      response: RedriveReportSchema,
      handler: async ({ principal, body }) => ok(await deps().redrives.redrive(principal, body)),
    }),
  ];
}
