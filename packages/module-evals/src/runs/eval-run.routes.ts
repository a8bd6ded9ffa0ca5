import { OvenError } from "@oven/contract";
import { EvalComparisonSchema, EvalResultSchema, EvalRunSchema } from "@oven/contract/eval";
import {
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { compareRuns } from "../compare/compare-runs.ts";
import type { EvalRunService } from "./eval-run-service.ts";

const Id = z.coerce.number().int().positive();
const Params = z.object({ id: Id });
const may = (action: string) => ({ permission: `evals.${action}` });

export function evalRunRoutes(runs: () => EvalRunService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "eval-runs",
      operation: "runs.list",
      summary: "List evaluations: runs of datasets",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(EvalRunSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await runs().list(principal, params);
        return listReply("eval-runs", params, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "eval-runs/compare",
      operation: "runs.compare",
      summary: "Two evaluations of one dataset case by case, what changed first",
      access: may("read"),
      effect: "pure",
      query: z.object({ a: Id, b: Id }),
      response: EvalComparisonSchema,
      handler: async ({ principal, query }) => {
        const load = async (id: number) => ({
          run: await runs().get(principal, id),
          results: await runs().allResults(principal, id),
        });
        const [a, b] = [await load(query.a), await load(query.b)];
        if (a.run.datasetId !== b.run.datasetId)
          throw new OvenError("INVALID_REQUEST", "These are evaluations of two datasets", {
            path: "$.query.b",
            fix: "Compare evaluations of one dataset.",
          });
        return ok(compareRuns(a, b));
      },
    }),
    defineRoute({
      method: "GET",
      path: "eval-runs/[id]",
      operation: "runs.get",
      summary: "Get an evaluation with what its results add up to",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: EvalRunSchema,
      handler: async ({ principal, params }) => ok(await runs().get(principal, params.id)),
    }),
    defineRoute({
      method: "GET",
      path: "eval-runs/[id]/results",
      operation: "runs.results",
      summary: "The results of an evaluation, case by case",
      access: may("read"),
      effect: "pure",
      params: Params,
      query: ListQuerySchema,
      response: z.array(EvalResultSchema),
      handler: async ({ principal, params, query }) => {
        const list = toListParams(query);
        const { rows, total } = await runs().results(principal, params.id, list);
        return listReply("eval-results", list, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "eval-runs/[id]/cancel",
      operation: "runs.cancel",
      summary: "Cancel an evaluation and the runs of its open cases",
      access: may("run"),
      effect: "idempotent",
      params: Params,
      response: EvalRunSchema,
      handler: async ({ principal, params }) => ok(await runs().cancel(principal, params.id)),
    }),
    defineRoute({
      method: "DELETE",
      path: "eval-runs/[id]",
      operation: "runs.delete",
      summary: "Delete an evaluation that has ended, with its results",
      access: may("delete"),
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await runs().delete(principal, params.id);
        return noContent();
      },
    }),
  ];
}
