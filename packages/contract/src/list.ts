import { z } from "zod";

/** `ra-data-simple-rest` list parameters, parsed. */
export interface ListParams {
  sort: { field: string; order: "ASC" | "DESC" };
  /** First and last row, inclusive. */
  range: { first: number; last: number };
  filter: Record<string, unknown>;
}

/** `sort` of a list: a column and ASC or DESC. */
export const SortSchema = z.tuple([z.string().min(1).max(64), z.enum(["ASC", "DESC"])]);
/** `range` of a list: the first and last index, both included. */
export const RangeSchema = z.tuple([z.int().nonnegative(), z.int().nonnegative()]);
/** `filter` of a list: a JSON object of columns and values. */
export const FilterSchema = z.record(z.string(), z.unknown());
