import { expect, it } from "vitest";
import { isSampled } from "./is-sampled.ts";

const RUNS = Array.from({ length: 10_000 }, (_, index) => index + 1);
const sampleOf = (judge: number, percent: number) => RUNS.filter((run) => isSampled(judge, run, percent));

it("takes about so many of a hundred, the same each time, others for another judge, and all at 100", () => {
  const tenth = sampleOf(1, 10);
  expect(tenth.length).toBeGreaterThan(900);
  expect(tenth.length).toBeLessThan(1_100);
  expect(sampleOf(1, 10)).toEqual(tenth);
  expect(sampleOf(2, 10)).not.toEqual(tenth);
  expect(sampleOf(1, 100)).toEqual(RUNS);
});

it("keeps those of a smaller sample when it grows", () => {
  const larger = new Set(sampleOf(1, 20));
  expect(sampleOf(1, 5).every((run) => larger.has(run))).toBe(true);
});
