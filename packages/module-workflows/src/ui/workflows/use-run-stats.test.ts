import { expect, it } from "vitest";
import { toSuccess } from "./use-run-stats.ts";

it.each([
  [0, 0, null],
  [3, 0, "100 %"],
  [0, 2, "0 %"],
  [2, 1, "67 %"],
  [9_999, 1, "99 %"],
])("of %d completed and %d failed says %s", (completed, failed, expected) => {
  expect(toSuccess({ completed, failed })).toBe(expected);
});
