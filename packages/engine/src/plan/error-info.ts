import { isOvenError, type Json } from "@oven/contract";
import type { ErrorInfo } from "@oven/contract/run";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";

/** An error as expressions see it. */
export function toErrorValue(error: ErrorInfo): Json {
  return {
    code: error.code,
    nodeId: error.nodeId,
    message: error.message,
    ...(error.details ? { details: error.details } : {}),
  };
}

/** Any thrown thing as the record's error. */
export function toErrorInfo(cause: unknown, nodeId: string | null): ErrorInfo {
  if (isOvenError(cause)) {
    const where = nodeId === null ? "" : `${nodeId}: `;
    return {
      code: cause.code,
      nodeId,
      message: `${where}${cause.message}`,
      ...(cause.details ? { details: cause.details } : {}),
    };
  }
  if (cause instanceof ExpressionSyntaxError) return { code: "EXPRESSION_ERROR", nodeId, message: cause.message };
  return { code: "NODE_ERROR", nodeId, message: cause instanceof Error ? cause.message : String(cause) };
}
