import { type ErrorInfo, isOvenError, OvenError } from "@oven/contract";
import type { NodeFailure } from "../plan/plan-types.ts";

/** A thrown thing as the record keeps it. What is not an `OvenError` counts as a passing fault. */
export function toFailure(cause: unknown, nodeId: string): NodeFailure {
  if (isOvenError(cause)) {
    return {
      error: { code: cause.code, nodeId, message: cause.message, ...(cause.details ? { details: cause.details } : {}) },
      retryable: cause.retryable || cause.retryAfterMs !== undefined,
      retryAfterMs: cause.retryAfterMs,
    };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return { error: { code: "NODE_ERROR", nodeId, message }, retryable: true, retryAfterMs: undefined };
}

export function toRunError(cause: unknown): ErrorInfo {
  return { ...toFailure(cause, "").error, nodeId: null };
}

export function nodeTimeout(nodeId: string, timeoutMs: number): OvenError {
  return new OvenError("NODE_TIMEOUT", `${nodeId} took longer than ${timeoutMs} ms`, {
    retryable: true,
    fix: "Raise timeoutMs of the state, or handle it in onError.",
  });
}
