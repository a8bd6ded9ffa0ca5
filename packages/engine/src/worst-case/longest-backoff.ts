import type { RetryPolicy } from "../compile/state-info.ts";
import { backoffMs } from "../plan/retry.ts";

/** More than any random spread, which is below 1. */
const WHOLE_SPREAD = 1;

/** Milliseconds between the attempts of one visit, where each fails and no server asks for a longer pause. */
export function longestBackoff(policy: RetryPolicy): number {
  let total = 0;
  for (let failures = 1; failures < policy.maxAttempts; failures += 1)
    total += backoffMs(policy, failures, WHOLE_SPREAD, undefined);
  return total;
}
