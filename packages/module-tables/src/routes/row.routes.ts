import { IdOrSlugSchema, OvenError, parseJson } from "@oven/contract";
import {
  ChangeRowSchema,
  ChangeRowsSchema,
  DeleteRowsSchema,
  InsertRowsSchema,
  type TableFilter,
  TableFilterSchema,
  TableRowSchema,
  WrittenRowsSchema,
} from "@oven/contract/table";
import {
  created,
  defineRoute,
  fromZod,
  invalidListQuery,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { RowService } from "../rows/row-service.ts";

const Params = z.object({ id: IdOrSlugSchema.describe("Id or slug of the table") });
const RowParams = Params.extend({ row: z.coerce.number().int().positive() });
/** Rows of a thousand lines of text. */
const ROWS_LIMIT = 10_485_760;
const read = { permission: "tables.read" };
const write = { permission: "tables.write" };

/** Rows of tables. None is an operation: agents reach rows by the tools that an administrator has made for them. */
export function rowRoutes(rows: () => RowService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "tables/[id]/rows",
      operation: false,
      summary: "List rows of a table",
      description:
        'Sorted by a column, `id`, `createdAt` or `updatedAt`. `filter` has conditions by column, such as {"age":{"gte":18}}; `q` looks into all texts.',
      access: read,
      effect: "pure",
      params: Params,
      query: ListQuerySchema.extend({ q: z.string().max(200).optional() }),
      response: z.array(TableRowSchema),
      handler: async ({ principal, params: { id }, query }) => {
        const { sort, range } = toListParams({ ...query, filter: undefined });
        const limit = range.last - range.first + 1;
        const q = query.q === "" ? undefined : query.q;
        const wanted = { where: toFilter(query.filter), q, sort, limit, offset: range.first };
        const found = await rows().list(principal, id, wanted);
        return listReply("rows", { sort, range, filter: {} }, found.rows, found.total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "tables/[id]/rows",
      operation: false,
      summary: "Add rows to a table: all, or none",
      access: write,
      effect: "at-least-once",
      bodyLimit: ROWS_LIMIT,
      params: Params,
      body: InsertRowsSchema,
      response: WrittenRowsSchema,
      handler: async ({ principal, params: { id }, body }) => created(await rows().insert(principal, id, body.rows)),
    }),
    defineRoute({
      method: "PATCH",
      path: "tables/[id]/rows",
      operation: false,
      summary: "Change rows of a table: all, or none",
      access: write,
      effect: "idempotent",
      bodyLimit: ROWS_LIMIT,
      params: Params,
      body: ChangeRowsSchema,
      response: WrittenRowsSchema,
      handler: async ({ principal, params: { id }, body }) => ok(await rows().change(principal, id, body)),
    }),
    defineRoute({
      method: "POST",
      path: "tables/[id]/rows/delete",
      operation: false,
      summary: "Delete rows of a table: all, or none",
      access: write,
      effect: "at-least-once",
      params: Params,
      body: DeleteRowsSchema,
      handler: async ({ principal, params: { id }, body }) => {
        await rows().delete(principal, id, body);
        return noContent();
      },
    }),
    ...oneRowRoutes(rows),
  ];
}

function oneRowRoutes(rows: () => RowService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "tables/[id]/rows/[row]",
      operation: false,
      summary: "Get a row of a table",
      access: read,
      effect: "pure",
      params: RowParams,
      response: TableRowSchema,
      handler: async ({ principal, params: { id, row } }) => {
        const found = await rows().get(principal, id, row);
        return ok(found, { etag: `"${found.version}"` });
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "tables/[id]/rows/[row]",
      operation: false,
      summary: "Change a row of a table; its version stands in the body or in `If-Match`",
      access: write,
      effect: "idempotent",
      params: RowParams,
      body: ChangeRowSchema,
      response: TableRowSchema,
      handler: async ({ principal, params: { id, row }, body, request }) => {
        const version = versionOf(request, body.version);
        const changed = await rows().change(principal, id, { changes: [{ id: row, version, values: body.values }] });
        return ok(changed.rows[0]);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "tables/[id]/rows/[row]",
      operation: false,
      summary: "Delete a row of a table; its version stands in `If-Match`",
      access: write,
      effect: "at-least-once",
      params: RowParams,
      handler: async ({ principal, params: { id, row }, request }) => {
        // Who may not see the row is not asked for its version.
        await rows().get(principal, id, row);
        await rows().delete(principal, id, { rows: [{ id: row, version: versionOf(request, undefined) }] });
        return noContent();
      },
    }),
  ];
}

function toFilter(text: string | undefined): TableFilter {
  if (text === undefined || text === "") return {};
  const parsed = TableFilterSchema.safeParse(readFilter(text));
  if (parsed.success) return parsed.data;
  throw fromZod(parsed.error, "$query.filter");
}

function readFilter(text: string): unknown {
  try {
    return parseJson(text, { what: "The filter", root: "$query.filter" });
  } catch (error) {
    throw invalidListQuery("filter", error instanceof Error ? error.message : String(error));
  }
}

/** @throws OvenError INVALID_REQUEST: without a version two people would overwrite each other */
function versionOf(request: Request, given: number | undefined): number {
  const match = /^(?:W\/)?"?([1-9]\d{0,9})"?$/.exec(request.headers.get("if-match")?.trim() ?? "");
  const version = given ?? (match === null ? undefined : Number(match[1]));
  if (version !== undefined) return version;
  throw new OvenError("INVALID_REQUEST", "The version of the row is missing", {
    path: "$.version",
    fix: "Send the `version` that was read, in the body or as If-Match.",
  });
}
