import { describe, expect, it } from "vitest";
import { backoffMs, takeoverDelayMs } from "./retry.ts";

const EXPONENTIAL = { maxAttempts: 5, backoff: "exponential" as const, initialMs: 1_000, maxMs: 5_000 };
const FIXED = { ...EXPONENTIAL, backoff: "fixed" as const };
/** In the middle of the range, where the wait is the policy's own. */
const MIDDLE = 0.5;

describe("the wait before another attempt", () => {
  it("doubles with each failure up to the policy's limit", () => {
    expect([1, 2, 3, 4, 5].map((failures) => backoffMs(EXPONENTIAL, failures, MIDDLE, undefined))).toEqual([
      1_000, 2_000, 4_000, 5_000, 5_000,
    ]);
  });

  it("stays the same where the policy says so", () => {
    expect([1, 2, 3].map((failures) => backoffMs(FIXED, failures, MIDDLE, undefined))).toEqual([1_000, 1_000, 1_000]);
  });

  it("is spread over 20 percent to either side", () => {
    expect([0, 0.25, 1].map((spread) => backoffMs(FIXED, 1, spread, undefined))).toEqual([800, 900, 1_200]);
  });

  it("is never shorter than Retry-After", () => {
    expect([500, 30_000].map((retryAfterMs) => backoffMs(FIXED, 1, MIDDLE, retryAfterMs))).toEqual([1_000, 30_000]);
  });
});

it("a call that was lost again and again waits twice as long each time, spread over half of it to either side", () => {
  expect([2, 3, 4].map((takeovers) => takeoverDelayMs(takeovers, MIDDLE))).toEqual([1_000, 2_000, 4_000]);
  expect([0, 0.75].map((spread) => takeoverDelayMs(2, spread))).toEqual([500, 1_250]);
});
