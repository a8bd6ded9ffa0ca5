import { expect, test } from "vitest";
import { openaiPrice, toCostMicros } from "./prices.ts";

test("cost counts cached input at its own price and rounds up", () => {
  const usage = { input: 1_000_000, output: 100_000, total: 1_100_000, cached: 400_000 };
  // 0.6 M × 2 USD + 0.4 M × 0.5 USD + 0.1 M × 8 USD
  expect(toCostMicros(usage, openaiPrice("gpt-4.1"))).toBe(2_200_000);
  expect(toCostMicros({ input: 1, output: 0, total: 1 }, openaiPrice("gpt-5-nano"))).toBe(1);
});

test("a dated release has its model's price, an unlisted model none", () => {
  expect(openaiPrice("gpt-5-mini-2025-08-07")).toEqual(openaiPrice("gpt-5-mini"));
  expect(openaiPrice("some-model")).toBeUndefined();
  expect(toCostMicros({ input: 10, output: 10, total: 20 }, undefined)).toBe(0);
});
