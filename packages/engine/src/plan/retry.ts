import type { RetryPolicy } from "../compile/state-info.ts";

/** Milliseconds before attempt `failures + 1`, spread over ±20 % so that many runs do not come back at once. */
export function backoffMs(
  policy: RetryPolicy,
  failures: number,
  /** In [0, 1). */
  spread: number,
  retryAfterMs: number | undefined,
): number {
  const base = policy.backoff === "fixed" ? policy.initialMs : policy.initialMs * 2 ** (failures - 1);
  const wait = Math.min(base, policy.maxMs) * (0.8 + 0.4 * spread);
  return Math.round(Math.max(wait, retryAfterMs ?? 0));
}

const TAKEOVER_DELAY_MS = 1_000;

/** Milliseconds before a call that was lost more than once is made again; `takeovers` from 2, `spread` in [0, 1). */
export function takeoverDelayMs(takeovers: number, spread: number): number {
  return Math.round(TAKEOVER_DELAY_MS * 2 ** (takeovers - 2) * (0.5 + spread));
}
