import { IdOrSlugSchema } from "@oven/contract";
import {
  CreateTableSchema,
  PlanTableSchema,
  TablePlanSchema,
  TableSchema,
  UpdateTableSchema,
} from "@oven/contract/table";
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
import type { TableService } from "../definitions/table-service.ts";

const Params = z.object({ id: IdOrSlugSchema.describe("Id or slug of the table") });
const may = (action: string) => ({ permission: `tables.${action}` });

/** Tables and their columns. */
export function tableRoutes(tables: () => TableService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "tables",
      operation: "definitions.list",
      summary: "List tables with their columns",
      access: may("read"),
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(TableSchema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { rows, total } = await tables().list(principal, params);
        return listReply("tables", params, rows, total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "tables",
      operation: "definitions.create",
      summary: "Make a table",
      access: may("create"),
      effect: "at-least-once",
      body: CreateTableSchema,
      response: TableSchema,
      handler: async ({ principal, body }) => created(await tables().create(principal, body)),
    }),
    defineRoute({
      method: "GET",
      path: "tables/[id]",
      operation: "definitions.get",
      summary: "Get a table with its columns",
      access: may("read"),
      effect: "pure",
      params: Params,
      response: TableSchema,
      handler: async ({ principal, params: { id } }) => ok(await tables().get(principal, id)),
    }),
    defineRoute({
      method: "POST",
      path: "tables/[id]/plan",
      operation: false,
      summary: "What a change of columns would do: values that are lost, and rows that do not fit",
      access: may("update"),
      effect: "pure",
      audited: false,
      params: Params,
      body: PlanTableSchema,
      response: TablePlanSchema,
      handler: async ({ principal, params: { id }, body }) => ok(await tables().plan(principal, id, body)),
    }),
    defineRoute({
      method: "PUT",
      path: "tables/[id]",
      operation: "definitions.update",
      needsApproval: true,
      summary: "Change the names and columns of a table, with all its rows",
      access: may("update"),
      effect: "at-least-once",
      params: Params,
      body: UpdateTableSchema,
      response: TableSchema,
      handler: async ({ principal, params: { id }, body }) => ok(await tables().update(principal, id, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "tables/[id]",
      operation: "definitions.delete",
      needsApproval: true,
      summary: "Delete a table with all its rows and tools",
      access: may("delete"),
      effect: "at-least-once",
      params: Params,
      handler: async ({ principal, params: { id } }) => {
        await tables().delete(principal, id);
        return noContent();
      },
    }),
  ];
}
