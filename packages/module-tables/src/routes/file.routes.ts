import { IdOrSlugSchema } from "@oven/contract";
import { ImportTableSchema, TableImportSchema } from "@oven/contract/table";
import type { Database } from "@oven/db";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { TableReader } from "../definitions/table-reader.ts";
import { exportRows } from "../files/export-rows.ts";
import type { RowImport } from "../files/import-rows.ts";

/** 20 MiB as base64, and the rest of the body. */
const IMPORT_LIMIT = 29_360_128;
const Params = z.object({ id: IdOrSlugSchema.describe("Id or slug of the table") });

/** Tables as files. */
export function fileRoutes(deps: () => { db: Database; reader: TableReader; imports: RowImport }): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "tables/[id]/import",
      operation: false,
      summary: "Take a CSV file into a table, or say what would become of it",
      access: { permission: "tables.write" },
      effect: "at-least-once",
      bodyLimit: IMPORT_LIMIT,
      params: Params,
      body: ImportTableSchema,
      response: TableImportSchema,
      handler: async ({ principal, params: { id }, body }) => ok(await deps().imports.take(principal, id, body)),
    }),
    defineRoute({
      method: "GET",
      path: "tables/[id]/export",
      operation: false,
      summary: "All rows of a table as CSV",
      access: { permission: "tables.read" },
      effect: "pure",
      params: Params,
      handler: async ({ principal, params: { id } }) => {
        const { db, reader } = deps();
        const table = await reader.get(principal, id);
        const body = ReadableStream.from(exportRows(db, principal, table)).pipeThrough(new TextEncoderStream());
        return new Response(body, {
          headers: {
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": `attachment; filename="${table.slug}.csv"`,
          },
        });
      },
    }),
  ];
}
