import { FilterSchema, type ListParams, MAX_PAGE, OvenError, parseJson, RangeSchema, SortSchema } from "@oven/contract";
import { z } from "zod";
import type { Reply } from "../define/define-route.ts";

/** The list parameters as they come in a URL; the older `_sort` family is taken too. */
export const ListQuerySchema = z.object({
  sort: z.string().optional(),
  range: z.string().optional(),
  filter: z.string().optional(),
  _sort: z.string().optional(),
  _order: z.string().optional(),
  _start: z.coerce.number().int().nonnegative().optional(),
  _end: z.coerce.number().int().nonnegative().optional(),
});
export type ListQuery = z.infer<typeof ListQuerySchema>;

/**
 * `?sort=["f","ASC"]&range=[0,24]&filter={}` with the defaults id ascending, rows 0 to 24.
 * @throws OvenError INVALID_LIST_QUERY
 */
export function toListParams(query: ListQuery): ListParams {
  const sort = parsePart("sort", query.sort, SortSchema) ?? [
    query._sort ?? "id",
    query._order?.toUpperCase() === "DESC" ? "DESC" : "ASC",
  ];
  const legacyRange: [number, number] = [query._start ?? 0, (query._end ?? (query._start ?? 0) + 25) - 1];
  const [first, last] = parsePart("range", query.range, RangeSchema) ?? legacyRange;
  if (last < first) throw invalid("range", "ends before it starts");
  return {
    sort: { field: sort[0], order: sort[1] },
    range: { first, last: Math.min(last, first + MAX_PAGE - 1) },
    filter: parsePart("filter", query.filter, FilterSchema) ?? {},
  };
}

function parsePart<T>(name: string, text: string | undefined, schema: z.ZodType<T>): T | undefined {
  if (text === undefined || text === "") return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw invalid(name, error instanceof Error ? error.message : String(error));
  }
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(name, result.error.issues[0]?.message ?? "has the wrong form");
  return result.data;
}

/**
 * The error of a list query that cannot be read.
 * @param part `sort`, `range` or `filter`
 * @returns OvenError INVALID_LIST_QUERY 400
 */
export function invalid(part: string, why: string): OvenError {
  return new OvenError("INVALID_LIST_QUERY", `\`${part}\` ${why}`, {
    path: `$query.${part}`,
    fix: 'Use ?sort=["id","ASC"]&range=[0,24]&filter={}.',
  });
}

/** A bare array with `Content-Range: resource first-last/total`. */
export function listReply(resource: string, params: ListParams, rows: readonly unknown[], total: number): Reply {
  const first = params.range.first;
  const shown = rows.length === 0 ? `*/${total}` : `${first}-${first + rows.length - 1}/${total}`;
  return {
    status: 200,
    body: rows,
    headers: { "content-range": `${resource} ${shown}`, "access-control-expose-headers": "Content-Range" },
  };
}
