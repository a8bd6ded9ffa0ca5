import { IdOrSlugSchema } from "@oven/contract";
import {
  NewOutcomeSchema,
  NewRunScoreSchema,
  RunScoreSchema,
  ScoreSummaryQuerySchema,
  ScoreSummarySchema,
} from "@oven/contract/run";
import {
  defineRoute,
  noContent,
  ok,
  type Permission,
  READING_ROLES,
  type Route,
  RUNNING_ROLES,
} from "@oven/module-registry";
import { z } from "zod";
import { keepToWorkflows } from "../definitions/bound-to.ts";
import { type WorkflowKind, withArticle } from "../workflow-kind.ts";
import type { ScoreService } from "./score-service.ts";
import { scorerOf } from "./scorer.ts";

const id = z.coerce.number().int().positive();
const Params = z.object({ id });

export const scorePermissions: Permission[] = [
  { id: "scores.read", title: "See scores of runs", roles: [...READING_ROLES, "reviewer"] },
  { id: "scores.write", title: "Score runs", roles: [...RUNNING_ROLES, "reviewer"] },
];

/** Scores of runs of one kind of workflow. */
export function scoreRoutes(kind: WorkflowKind, deps: () => { scores: ScoreService }): Route[] {
  const { resource, executionResource, title } = kind;
  const names = kind.kind === "workflow" ? "workflow" : "agentWorkflow";
  const read = { permission: "scores.read" };
  const write = { permission: "scores.write" };
  return keepToWorkflows([
    defineRoute({
      method: "GET",
      path: `${executionResource}/[id]/scores`,
      operation: `${names}Executions.scores`,
      summary: "The scores of a run",
      access: read,
      effect: "pure",
      params: Params,
      response: z.array(RunScoreSchema),
      handler: async ({ principal, params, run }) =>
        ok(await deps().scores.list(principal, kind.kind, params.id, scorerOf(principal, run).scorer)),
    }),
    defineRoute({
      method: "POST",
      path: `${executionResource}/[id]/scores`,
      operation: `${names}Executions.score`,
      summary: "Score a run from 0 to 1, at any time after its start",
      description:
        "A later score of the same name from the same person, key or workflow replaces the earlier one. A workflow does not score its own runs.",
      access: write,
      effect: "idempotent",
      params: Params,
      body: NewRunScoreSchema,
      response: RunScoreSchema,
      handler: async ({ principal, params, body, run }) =>
        ok(await deps().scores.add(principal, kind.kind, params.id, body, scorerOf(principal, run))),
    }),
    defineRoute({
      method: "DELETE",
      path: `${executionResource}/[id]/scores/[scoreId]`,
      operation: false,
      summary: "Take back a score that you gave",
      access: write,
      params: z.object({ id, scoreId: id }),
      handler: async ({ principal, params }) => {
        const { scorer } = scorerOf(principal);
        await deps().scores.remove(principal, kind.kind, params.id, params.scoreId, scorer);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: `${resource}/[id]/scores`,
      operation: `${names}s.scores`,
      summary: `What scores say of the runs of ${withArticle(title)}, by name, version and day (UTC)`,
      access: read,
      effect: "pure",
      params: z.object({ id: IdOrSlugSchema }),
      query: ScoreSummaryQuerySchema,
      response: z.array(ScoreSummarySchema),
      handler: async ({ principal, params, query }) =>
        ok(await deps().scores.summary(principal, kind.kind, String(params.id), query.days)),
    }),
    defineRoute({
      method: "POST",
      path: `${resource}/[id]/scores`,
      operation: `${names}s.score`,
      summary: "Score the newest run whose input has a value, such as the order that a refund is disputed of",
      description:
        "For outcomes that arrive days later from a system that knows no run ids. As a step it makes a workflow that an event or webhook starts report them.",
      access: write,
      effect: "idempotent",
      params: z.object({ id: IdOrSlugSchema }),
      body: NewOutcomeSchema,
      response: RunScoreSchema,
      handler: async ({ principal, params, body, run }) =>
        ok(await deps().scores.addOutcome(principal, kind.kind, String(params.id), body, scorerOf(principal, run))),
    }),
  ]);
}
