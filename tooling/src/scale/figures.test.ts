import { describe, expect, it } from "vitest";
import { percentile, slopeOf } from "./figures.ts";

describe("figures of a measurement", () => {
  it("are percentiles of values in any order", () => {
    const values = Array.from({ length: 100 }, (_, index) => ((index * 37) % 100) + 1);
    expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1)]).toEqual([50, 99, 100]);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it("are slopes by least squares: what goes up and down again has none", () => {
    const line = [0, 1, 2, 5].map((x) => ({ x, y: 100 + 3 * x }));
    expect(slopeOf(line)).toBeCloseTo(3, 10);
    const wave = [0, 1, 2, 3, 4].map((x) => ({ x, y: [10, 20, 30, 20, 10][x] ?? 0 }));
    expect(slopeOf(wave)).toBeCloseTo(0, 10);
    // Of three points, by hand: (−1·−3 + 0·0 + 1·3) / 2 around the means 1 and 4, with one off the line.
    expect(
      slopeOf([
        { x: 0, y: 1 },
        { x: 1, y: 6 },
        { x: 2, y: 5 },
      ]),
    ).toBeCloseTo(2, 10);
    expect(slopeOf([{ x: 1, y: 1 }])).toBeNaN();
  });
});
