import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { isOvenError, OvenError } from "@oven/contract";

interface About {
  name: string;
  timeoutMs: number;
  /** Why an answer broke off. */
  broken: unknown;
}

const MAX_WORDS = 500;

/** Whatever goes wrong between a server and us, as one of our errors that says what to do. */
export function toSessionError(error: unknown, { name, timeoutMs, broken }: About): OvenError {
  for (const candidate of [broken, ...causesOf(error)]) if (isOvenError(candidate)) return candidate;
  if (isUnauthorized(error)) return unauthorized(name, error);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new OvenError("TOOL_TIMEOUT", `${name} was silent for ${timeoutMs} ms (timeoutMs)`, {
      status: 504,
      retryable: true,
      fix: "Raise the longest silence, at the step or the connection, or ask the server for less.",
      cause: error,
    });
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return new OvenError("TOOL_OUTPUT_INVALID", `${name} answered something that is no answer: ${words(error)}`, {
      status: 502,
      cause: error,
    });
  if (error instanceof ProtocolError && /structured content|output schema/i.test(error.message))
    return new OvenError(
      "TOOL_OUTPUT_INVALID",
      `${name} answered something its tool does not declare: ${words(error)}`,
      {
        status: 502,
        fix: "Tell whoever runs the server; what it sent was not handed on.",
        cause: error,
      },
    );
  return new OvenError("MCP_CONNECTION_FAILED", `${name} cannot be used: ${words(error)}`, {
    status: 502,
    retryable: !(error instanceof ProtocolError),
    fix: "See the connection's last error; “Test connection” asks the server again.",
    cause: error,
  });
}

/** A call that reports progress and does not end. */
export function tookTooLong(name: string, maxTotalMs: number): OvenError {
  return new OvenError("TOOL_TIMEOUT", `${name} did not complete the call within ${maxTotalMs} ms (maxTotalMs)`, {
    status: 504,
    retryable: true,
    fix: "Raise the longest duration of a call, at the step or the connection, or ask the server for less.",
  });
}

/** The session ended before a call was its turn: nothing was sent. */
export class SessionEnded extends Error {
  constructor() {
    super("the session has ended");
    this.name = "SessionEnded";
  }
}

/** A session that the server no longer knows, or that has ended here: a new one is opened, for nothing was done in it. */
export function isSessionLost(error: unknown): boolean {
  return causesOf(error).some(
    (cause) => cause instanceof SessionEnded || (cause instanceof SdkHttpError && cause.status === 404),
  );
}

function isUnauthorized(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause instanceof UnauthorizedError ||
      (cause instanceof SdkHttpError && (cause.status === 401 || cause.status === 403)),
  );
}

function unauthorized(name: string, cause: unknown): OvenError {
  return new OvenError("MCP_CONNECTION_UNAUTHORIZED", `${name} rejected our credentials`, {
    status: 502,
    fix: "Sign in at the connection's page, or correct its secret.",
    cause,
  });
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && causes.length < 8; at = at.cause) causes.push(at);
  return causes.length === 0 ? [error] : causes;
}

/** Without control characters: they are somebody else's. */
function words(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\p{Cc}+/gu, " ").slice(0, MAX_WORDS);
}
