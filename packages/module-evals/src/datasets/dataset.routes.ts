import { IdOrSlugSchema } from "@oven/contract";
import {
  CreateEvalDatasetSchema,
  EvalDatasetFileSchema,
  EvalDatasetSchema,
  EvalRunSchema,
  StartEvalRunSchema,
  UpdateEvalDatasetSchema,
} from "@oven/contract/eval";
import { accepted, defineRoute, ok, type Route, rowRoutes } from "@oven/module-registry";
import { z } from "zod";
import type { EvalRunService } from "../runs/eval-run-service.ts";
import type { DatasetFiles } from "./dataset-files.ts";
import type { DatasetService } from "./dataset-service.ts";

export interface DatasetRouteDeps {
  datasets: DatasetService;
  files: DatasetFiles;
  runs: EvalRunService;
}

const Params = z.object({ id: IdOrSlugSchema });
const may = (action: string) => ({ permission: `evals.${action}` });
const FILE_LIMIT = 16 * 1_024 * 1_024;

export function datasetRoutes(deps: () => DatasetRouteDeps): Route[] {
  const [list, create, ...ofOne] = rowRoutes({
    path: "eval-datasets",
    operation: "datasets",
    permission: (action) => `evals.${action}`,
    summaries: {
      list: "List datasets",
      create: "Make a dataset",
      get: "Get a dataset by id or slug",
      update: "Change a dataset",
      delete: "Delete a dataset with its cases and evaluations; the runs of its cases stay",
    },
    params: Params,
    row: EvalDatasetSchema,
    create: CreateEvalDatasetSchema,
    update: UpdateEvalDatasetSchema,
    rows: () => deps().datasets,
  });
  return [
    list,
    create,
    defineRoute({
      method: "POST",
      path: "eval-datasets/import",
      operation: "datasets.import",
      summary: "Make the dataset with this slug what a file says, with its cases",
      access: may("update"),
      effect: "idempotent",
      bodyLimit: FILE_LIMIT,
      body: EvalDatasetFileSchema,
      response: EvalDatasetSchema,
      handler: async ({ principal, body }) => ok(await deps().files.take(principal, body)),
    }),
    ...ofOne,
    defineRoute({
      method: "GET",
      path: "eval-datasets/[id]/export",
      operation: false,
      summary: "A dataset as a file, or its cases as JSON lines",
      access: may("read"),
      effect: "pure",
      params: Params,
      query: z.object({ format: z.enum(["json", "jsonl"]).default("json") }),
      handler: async ({ principal, params, query }) => {
        if (query.format === "json") return ok(await deps().files.toFile(principal, params.id));
        const lines = await deps().files.toLines(principal, params.id);
        return new Response(lines, { headers: { "content-type": "application/x-ndjson" } });
      },
    }),
    defineRoute({
      method: "POST",
      path: "eval-datasets/[id]/cases/import",
      operation: "datasets.importCases",
      summary: "Add and change cases by their names, from JSON lines",
      access: may("update"),
      effect: "idempotent",
      bodyLimit: FILE_LIMIT,
      params: Params,
      body: z.strictObject({ lines: z.string() }),
      response: EvalDatasetSchema,
      handler: async ({ principal, params, body }) =>
        ok(await deps().files.takeLines(principal, params.id, body.lines)),
    }),
    defineRoute({
      method: "POST",
      path: "eval-datasets/[id]/run",
      operation: "datasets.run",
      delegates: true,
      summary: "Run a dataset against a version; 202 and the evaluation",
      access: may("run"),
      effect: "at-least-once",
      params: Params,
      body: StartEvalRunSchema,
      response: EvalRunSchema,
      handler: async ({ principal, params, body }) => accepted(await deps().runs.start(principal, params.id, body)),
    }),
  ];
}
