import { z } from "zod";

/** `ra-data-simple-rest` list parameters, parsed. */
export interface ListParams {
  sort: { field: string; order: "ASC" | "DESC" };
  /** First and last row, inclusive. */
  range: { first: number; last: number };
  filter: Record<string, unknown>;
}

export const MAX_PAGE = 1_000;

export const SortSchema = z.tuple([z.string().min(1).max(64), z.enum(["ASC", "DESC"])]);
export const RangeSchema = z.tuple([z.int().nonnegative(), z.int().nonnegative()]);
export const FilterSchema = z.record(z.string(), z.unknown());
