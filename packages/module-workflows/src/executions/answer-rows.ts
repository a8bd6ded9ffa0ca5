import { MAX_PAGE } from "@oven/contract";
import { nextTurn } from "@oven/engine";
import { listReply, type Reply, toListParams } from "@oven/module-registry";
import { z } from "zod";

/** First and last row, inclusive. */
export interface PageRange {
  first: number;
  last: number;
}

export interface Page<Row> {
  rows: Row[];
  /** How many there are in all. */
  total: number;
}

/** Characters of JSON that one answer holds at most; a single row larger than that is answered alone. */
const LARGEST_ANSWER = 2_097_152;

/** Gathers the rows of an answer until it is full. `Content-Range` says how many came. */
export class AnswerRows<Row> {
  readonly rows: Row[] = [];
  readonly #largest: number;
  #size = 0;

  constructor(largest = LARGEST_ANSWER) {
    this.#largest = largest;
  }

  /** @returns false when the row does not fit any more */
  add(row: Row): boolean {
    this.#size += JSON.stringify(row).length;
    if (this.#size > this.#largest && this.rows.length > 0) return false;
    this.rows.push(row);
    return true;
  }
}

export const PageQuerySchema = z.object({ range: z.string().optional() });

/** `range` as lists take it; without it as many rows as an answer may have. @throws OvenError INVALID_LIST_QUERY */
export function toPageRange({ range = "" }: z.infer<typeof PageQuerySchema>): PageRange {
  return toListParams({ range: range === "" ? `[0,${MAX_PAGE - 1}]` : range }).range;
}

/** The answer is written in a turn of its own: of many large ones in one the last would hold the process for all of them. */
export async function pageReply(
  name: string,
  range: PageRange,
  rows: readonly unknown[],
  total: number,
): Promise<Reply> {
  await nextTurn();
  return listReply(name, { sort: { field: "id", order: "ASC" }, range, filter: {} }, rows, total);
}
