import { describe, expect, it } from "vitest";
import { parseDuration } from "./duration.ts";

describe("a duration", () => {
  it.each([
    [1500, 1500],
    [0, 0],
    ["PT15M", 900_000],
    ["P1D", 86_400_000],
    ["P1DT2H3M4.5S", 93_784_500],
    ["P2W", 1_209_600_000],
  ])("%s is %i ms", (value, expected) => {
    expect(parseDuration(value)).toBe(expected);
  });

  it.each([-1, 1.5, "P", "PT", "15M", "P1M", "P1Y", "P1DT", ""])("%s is refused", (value) => {
    expect(() => parseDuration(value)).toThrow("is not a duration");
  });
});
