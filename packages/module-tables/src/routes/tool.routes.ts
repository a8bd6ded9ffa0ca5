import { CreateTableToolSchema, TableToolSchema, UpdateTableToolSchema } from "@oven/contract/table";
import { type Route, rowRoutes } from "@oven/module-registry";
import { z } from "zod";
import type { TableToolService } from "../tools/tool-service.ts";

/** What agents may do with tables. No operation: a run does not give itself more. */
export function toolRoutes(tools: () => TableToolService): Route[] {
  return rowRoutes({
    path: "table-tools",
    operation: false,
    permission: (action) => (action === "read" ? "table-tools.read" : "table-tools.manage"),
    summaries: {
      list: "List what agents may do with tables",
      create: "Let agents do something with a table",
      get: "Get what agents may do with a table",
      update: "Change what agents may do with a table",
      delete: "Take a table's tools from agents",
    },
    params: z.object({ id: z.coerce.number().int().positive() }),
    row: TableToolSchema,
    create: CreateTableToolSchema,
    update: UpdateTableToolSchema,
    rows: tools,
  });
}
