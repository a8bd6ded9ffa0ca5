import { SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { isOvenError, OvenError } from "@oven/contract";
import { mayHaveArrived } from "@oven/module-registry";

/** An event stream that ended without the answer it was for. */
export class AnswerMissing extends Error {
  /** @param cause why it could not be resumed, where that was tried */
  constructor(cause?: unknown) {
    super("the stream of the answer ended before the answer came", cause === undefined ? {} : { cause });
    this.name = "AnswerMissing";
  }
}

/** A connection that broke once there was one; a name that is not found or a port that is closed took no call. */
const CUT = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED", "ERR_STREAM_PREMATURE_CLOSE"]);
/** Of what stands between: the server behind it is gone, or did not answer in time. */
const GATEWAY = new Set([502, 504]);

/**
 * Whether a call may have reached its server although no answer came back.
 * @param broken why the answer broke off while it was read, if it did
 */
export function isCut(error: unknown, broken: unknown): boolean {
  if (broken !== undefined) return !isOvenError(broken);
  if (mayHaveArrived(error)) return true;
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof SdkError && at.code === SdkErrorCode.ConnectionClosed) return true;
    if (at instanceof SdkHttpError && GATEWAY.has(at.status ?? 0)) return true;
    if ("code" in at && CUT.has(String(at.code))) return true;
  }
  return false;
}

/** @param cause what the connection said */
export function callLost(name: string, cause: unknown): OvenError {
  return new OvenError("MCP_CALL_LOST", `The connection to ${name} was lost; the call may have happened`, {
    status: 502,
    retryable: true,
    uncertain: true,
    fix: "Look at the server whether the call took place before you make it again.",
    cause,
  });
}
