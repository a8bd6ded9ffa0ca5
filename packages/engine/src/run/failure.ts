import { isOvenError, OvenError } from "@oven/contract";
import type { ErrorInfo } from "@oven/contract/run";
import type { NodeFailure } from "../plan/plan-types.ts";

/** A thrown thing as the record keeps it. What is not an `OvenError` counts as a passing fault. */
export function toFailure(cause: unknown, nodeId: string): NodeFailure {
  if (isOvenError(cause)) {
    return {
      error: { code: cause.code, nodeId, message: cause.message, ...(cause.details ? { details: cause.details } : {}) },
      retryable: cause.retryable || cause.retryAfterMs !== undefined,
      retryAfterMs: cause.retryAfterMs,
      ...(cause.uncertain ? { uncertain: true } : {}),
    };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return { error: { code: "NODE_ERROR", nodeId, message }, retryable: true, retryAfterMs: undefined };
}

/** Whether it says that something needed is away for now: a database, a connection. */
export function isPassing(cause: unknown): boolean {
  if (isOvenError(cause) && cause.status === 503) return true;
  if (typeof cause !== "object" || cause === null) return false;
  // SQLSTATE classes of lost connections, shortage and shutdown; system errors such as ECONNRESET.
  if ("code" in cause && /^(08|53|57)|^E[A-Z]+$/.test(String(cause.code))) return true;
  return "cause" in cause && isPassing(cause.cause);
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
