import { OvenError } from "@oven/contract";

const RETRY_MS = 1_000;

/** There is no room for it just now. */
export function comeLater(message = "Too much arrives at once"): OvenError {
  return new OvenError("TOO_MANY_REQUESTS", message, {
    status: 429,
    fix: "Send it again after the time in Retry-After.",
    retryable: true,
    retryAfterMs: RETRY_MS,
  });
}
