import type { ApiOperation } from "@oven/contract/api";

/** By the method alone; a key for repeated calls makes any of them safe to repeat. */
export function effectOf(
  method: ApiOperation["method"],
  idempotencyHeader: string | null,
): Pick<ApiOperation, "effect" | "idempotencyHeader" | "reads"> {
  const reads = method === "GET" || method === "HEAD" || method === "OPTIONS";
  const isSafe = reads || method === "PUT" || method === "DELETE" || idempotencyHeader !== null;
  return { effect: isSafe ? "idempotent" : "at-most-once", idempotencyHeader, reads };
}
