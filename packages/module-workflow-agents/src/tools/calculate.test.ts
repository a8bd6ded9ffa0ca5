import { expect, test } from "vitest";
import { calculate } from "./calculate.ts";

test.each([
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["2 ^ 3 ^ 2", 512],
  ["-2 ^ 2", -4],
  ["2 ^ -1", 0.5],
  ["10 - 4 - 3", 3],
  ["7 % 4 / 2", 1.5],
  ["1.5e3 + .5", 1500.5],
  ["round(19.99 * 1.19, 2)", 23.79],
  ["max(1, sum(2, 3), -9)", 5],
  ["sqrt(16) + abs(-1) + floor(pi)", 8],
])("%s is %d", (expression, value) => {
  expect(calculate(expression)).toBeCloseTo(value, 10);
});

test.each([
  "",
  "1 +",
  "1 2",
  "(1",
  "1 / 0",
  "constructor(1)",
  "process.exit(1)",
  "x",
  "1; 2",
  "'a'",
  "__proto__",
  `${"(".repeat(200)}1${")".repeat(200)}`,
  "-".repeat(900).concat("1"),
  "9".repeat(2_000),
])("%j is refused", (expression) => {
  expect(() => calculate(expression)).toThrow(expect.objectContaining({ code: "CALCULATION_INVALID" }));
});
