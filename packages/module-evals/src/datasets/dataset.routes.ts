import { IdOrSlugSchema } from "@oven/contract";
import {
  CreateEvalDatasetSchema,
  EvalDatasetFileSchema,
  EvalDatasetSchema,
  EvalRunSchema,
  StartEvalRunSchema,
  UpdateEvalDatasetSchema,
} from "@oven/contract/eval";
import {
  accepted,
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
  return [
    defineRoute({
      method: "GET",
      path: "eval-datasets",
      operation: "datasets.list",
      summary: "List datasets",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(EvalDatasetSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await deps().datasets.list(principal, params);
        return listReply("eval-datasets", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "eval-datasets",
      operation: "datasets.create",
      summary: "Make a dataset",
      access: may("create"),
      effect: "at-least-once",
      body: CreateEvalDatasetSchema,
      response: EvalDatasetSchema,
      handler: async ({ principal, body }) => created(await deps().datasets.create(principal, body)),
    }),
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
    defineRoute({
      method: "GET",
      path: "eval-datasets/[id]",
      operation: "datasets.get",
      summary: "Get a dataset by id or slug",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: EvalDatasetSchema,
      handler: async ({ principal, params }) => ok(await deps().datasets.get(principal, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "eval-datasets/[id]",
      operation: "datasets.update",
      summary: "Change a dataset",
      access: may("update"),
      effect: "idempotent",
      params: Params,
      body: UpdateEvalDatasetSchema,
      response: EvalDatasetSchema,
      handler: async ({ principal, params, body }) => ok(await deps().datasets.update(principal, params.id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "eval-datasets/[id]",
      operation: "datasets.delete",
      summary: "Delete a dataset with its cases and evaluations; the runs of its cases stay",
      access: may("delete"),
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().datasets.delete(principal, params.id);
        return noContent();
      },
    }),
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
