import { expect, it } from "vitest";
import { sumScores } from "./sum-scores.ts";

const row = (name: string, version: number, day: string, count: number, mean: number) => ({
  ...{ name, version, day, count, mean },
  up: Math.round(count * mean),
  down: count - Math.round(count * mean),
});

it("takes scores together by name, version and day, each score weighing the same", () => {
  const [thumbs, outcome] = sumScores([
    row("outcome", 2, "2026-03-02", 1, 0),
    row("thumbs", 2, "2026-03-02", 9, 1),
    row("thumbs", 2, "2026-03-01", 1, 0),
    row("thumbs", 1, "2026-03-01", 2, 0.5),
  ]);
  expect(thumbs?.name).toBe("thumbs");
  expect(thumbs?.all).toEqual({ count: 12, mean: 10 / 12, up: 10, down: 2 });
  expect(thumbs?.versions).toEqual([
    { version: 1, count: 2, mean: 0.5, up: 1, down: 1 },
    { version: 2, count: 10, mean: 0.9, up: 9, down: 1 },
  ]);
  expect(thumbs?.days.get("2026-03-01")).toEqual({ count: 3, mean: 1 / 3, up: 1, down: 2 });
  expect(outcome?.versions).toHaveLength(1);
});
