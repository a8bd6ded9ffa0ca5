import type { RetryPolicy } from "../compile/state-info.ts";

/** Milliseconds before attempt `failures + 1`, spread over ±20 % so that many runs do not come back at once. */
export function backoffMs(
  policy: RetryPolicy,
  failures: number,
  random: number,
  retryAfterMs: number | undefined,
): number {
  const base = policy.backoff === "fixed" ? policy.initialMs : policy.initialMs * 2 ** (failures - 1);
  const spread = Math.min(base, policy.maxMs) * (0.8 + 0.4 * random);
  return Math.round(Math.max(spread, retryAfterMs ?? 0));
}
