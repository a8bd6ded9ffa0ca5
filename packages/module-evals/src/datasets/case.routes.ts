import { IdOrSlugSchema } from "@oven/contract";
import { CaseFromExecutionSchema, EvalCaseSchema, NewEvalCaseSchema, UpdateEvalCaseSchema } from "@oven/contract/eval";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { type PastRuns, toCaseOf } from "./case-from-execution.ts";
import type { CaseService } from "./case-service.ts";
import type { DatasetService } from "./dataset-service.ts";

export interface CaseRouteDeps extends PastRuns {
  datasets: DatasetService;
  cases: CaseService;
}

const Params = z.object({ id: z.coerce.number().int().positive() });
const OfDataset = z.object({ id: IdOrSlugSchema });
const may = (action: string) => ({ permission: `evals.${action}` });

export function caseRoutes(deps: () => CaseRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "eval-cases",
      operation: "cases.list",
      summary: "List cases; `filter.datasetId` names the dataset",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(EvalCaseSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().cases.list(principal, params);
        return listReply("eval-cases", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "eval-datasets/[id]/cases",
      operation: "cases.create",
      summary: "Add a case to a dataset",
      access: may("create"),
      effect: "at-least-once",
      params: OfDataset,
      body: NewEvalCaseSchema,
      response: EvalCaseSchema,
      handler: async ({ principal, params, body }) =>
        created(await deps().cases.create(await deps().datasets.row(principal, params.id), body)),
    }),
    defineRoute({
      method: "POST",
      path: "eval-datasets/[id]/cases/from-execution",
      operation: "cases.createFromExecution",
      mayNeed: ["executions.read"],
      summary: "Add a case that asks what a past run was asked",
      access: may("create"),
      effect: "at-least-once",
      params: OfDataset,
      body: CaseFromExecutionSchema,
      response: EvalCaseSchema,
      handler: async ({ principal, params, body }) => {
        const { datasets, cases } = deps();
        const dataset = await datasets.row(principal, params.id);
        return created(await cases.create(dataset, await toCaseOf(deps(), principal, dataset, body)));
      },
    }),
    defineRoute({
      method: "GET",
      path: "eval-cases/[id]",
      operation: "cases.get",
      summary: "Get a case",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: EvalCaseSchema,
      handler: async ({ principal, params }) => ok(await deps().cases.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "eval-cases/[id]",
      operation: "cases.update",
      summary: "Change a case",
      access: may("update"),
      effect: "idempotent",
      params: Params,
      body: UpdateEvalCaseSchema,
      response: EvalCaseSchema,
      handler: async ({ principal, params, body }) => ok(await deps().cases.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "eval-cases/[id]",
      operation: "cases.delete",
      summary: "Delete a case; results that it has stay",
      access: may("delete"),
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().cases.delete(principal, params.id);
        return noContent();
      },
    }),
  ];
}
