import { isOvenError, OvenError } from "@oven/contract";
import type { ResolvedModel } from "@oven/contract/ai";
import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  NoContentGeneratedError,
  StreamProviderError,
  ToolChoiceViolationError,
  TypeValidationError,
} from "ai";

interface FailedCall {
  model: ResolvedModel;
  /** Whether some of the answer had already arrived. */
  streaming: boolean;
  timedOutAfterMs: number | null;
  /** How long its stream was silent, when it was given up for that. */
  silentForMs: number | null;
  /** What to do when the provider refuses the key. */
  keyHint: string;
  aborted: boolean;
}

/** What went wrong with a model call, with whether trying again may help. */
export function toModelError(error: unknown, call: FailedCall): OvenError {
  const name = `${call.model.providerId}:${call.model.modelId}`;
  if (call.aborted) {
    return isOvenError(error)
      ? error
      : fail("MODEL_ABORTED", `The call of ${name} was stopped`, { status: 499, cause: error });
  }
  if (call.timedOutAfterMs !== null) {
    return fail("MODEL_TIMEOUT", `${name} did not answer within ${call.timedOutAfterMs} ms`, {
      status: 504,
      retryable: true,
      fix: "Raise `timeoutMs`, or use a faster model",
      cause: error,
    });
  }
  if (call.silentForMs !== null) {
    return fail("MODEL_STALLED", `${name} sent nothing more for ${call.silentForMs} ms in the middle of its answer`, {
      status: 504,
      retryable: true,
      fix: "Try again, or raise `idleTimeoutMs` of the alias for a model that pauses that long",
      cause: error,
    });
  }
  if (isOvenError(error)) return error;
  if (APICallError.isInstance(error)) {
    return error.statusCode === undefined || error.statusCode < 400
      ? fromTransport(error, name, call)
      : fromStatus(error.statusCode, error, name, call.keyHint);
  }
  if (StreamProviderError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 400) {
    return fromStatus(error.statusCode, error, name, call.keyHint);
  }
  if (ToolChoiceViolationError.isInstance(error) || NoContentGeneratedError.isInstance(error)) {
    return fail("MODEL_BAD_RESPONSE", `${name} did not answer as asked: ${error.message}`, {
      status: 502,
      retryable: true,
      cause: error,
    });
  }
  return fromTransport(error, name, call);
}

function fromTransport(error: unknown, name: string, call: FailedCall): OvenError {
  const message = messageOf(error);
  if (call.streaming) {
    return fail("MODEL_STREAM_BROKEN", `The answer of ${name} broke off: ${message}`, {
      status: 502,
      retryable: true,
      cause: error,
    });
  }
  const rubbish =
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error) ||
    EmptyResponseBodyError.isInstance(error) ||
    (APICallError.isInstance(error) && error.statusCode !== undefined);
  if (rubbish) {
    return fail("MODEL_BAD_RESPONSE", `The answer of ${name} could not be read: ${message}`, {
      status: 502,
      retryable: true,
      cause: error,
    });
  }
  return fail("MODEL_UNAVAILABLE", `${name} could not be reached: ${message}`, {
    status: 503,
    retryable: true,
    cause: error,
  });
}

function fromStatus(status: number, error: Error, name: string, keyHint: string): OvenError {
  const details = { status };
  const said = `${name} answered ${status}: ${error.message}`;
  if (status === 429 && isOutOfQuota(error)) {
    return fail("MODEL_QUOTA_EXHAUSTED", said, {
      status: 429,
      details,
      cause: error,
      fix: "Check the plan and billing of the provider",
    });
  }
  if (status === 429) {
    const retryAfterMs = readRetryAfter(error);
    return fail("MODEL_RATE_LIMITED", said, {
      status: 429,
      retryable: true,
      details,
      cause: error,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  if (status >= 500 || status === 408 || status === 409) {
    const retryAfterMs = readRetryAfter(error);
    return fail("MODEL_UNAVAILABLE", said, {
      status: 503,
      retryable: true,
      details,
      cause: error,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  const fixes: Record<number, string> = {
    401: keyHint,
    403: "Check what the key is allowed to use",
    404: "Check the model's name: the provider does not know it",
    413: "Send a shorter conversation",
  };
  return fail("MODEL_REFUSED_REQUEST", said, {
    status: 502,
    details,
    cause: error,
    fix: fixes[status] ?? "Correct the request as the message says",
  });
}

function isOutOfQuota(error: Error): boolean {
  const body = APICallError.isInstance(error) ? (error.responseBody ?? "") : "";
  const code = StreamProviderError.isInstance(error) ? String(error.code ?? error.type) : "";
  return body.includes("insufficient_quota") || code === "insufficient_quota";
}

/** Milliseconds from `retry-after-ms`, or from `retry-after` in seconds or as a date. */
function readRetryAfter(error: Error): number | undefined {
  if (!APICallError.isInstance(error)) return undefined;
  const headers = error.responseHeaders ?? {};
  const milliseconds = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (Number.isFinite(milliseconds)) return Math.max(0, Math.ceil(milliseconds));
  const after = headers["retry-after"];
  if (after === undefined) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(after.trim()) ? Number.parseFloat(after) * 1_000 : Date.parse(after) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : undefined;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : JSON.stringify(error);
  // fetch says only "fetch failed"; its cause names the reason
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function fail(code: string, message: string, options: ConstructorParameters<typeof OvenError>[2]): OvenError {
  return new OvenError(code, message, options);
}
