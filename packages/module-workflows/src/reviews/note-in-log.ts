import type { JsonObject } from "@oven/contract";
import type { Queryable } from "@oven/db";
import type { NewSignal } from "@oven/engine";
import type { SqlStore } from "../runtime/sql-store.ts";
import type { ReviewRow } from "./review-row.ts";

type Noted = Extract<NewSignal, { type: "note" }>["data"]["event"];

/** Signals the run to note something about its review in its log, because only the holder of its lease writes there. */
export async function noteInLog(
  tx: Queryable,
  store: SqlStore,
  { id, executionId, nodeId, visit, item }: ReviewRow,
  event: Noted,
  more: JsonObject,
): Promise<void> {
  const fields = { reviewId: id, nodeId, visit, ...(item === null ? {} : { item }), ...more };
  const key = `${event}:${id}:${crypto.randomUUID()}`;
  await store.sendWithin(tx, executionId, { type: "note", data: { event, fields } }, key);
}
