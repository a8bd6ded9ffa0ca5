import { expect } from "vitest";
import { compareRuns, plain, type RunGenerator } from "./compare-runs.ts";

const COUNT = 60;

/** Generated documents run here as their product says that they run there. */
export async function expectSameRuns(generator: RunGenerator): Promise<void> {
  const { product } = generator;
  const { compared, steps, differences, left } = await compareRuns(generator, 1, COUNT);
  const again = differences.map(
    ({ seed, expected, found, document, input }) =>
      `pnpm import-graphs --product ${product} --count 1 --runs 1 --seed ${seed}: ${JSON.stringify({ expected, found, input, document }, plain)}`,
  );
  expect(again).toEqual([]);
  // Most are imported as a whole, and do something.
  expect(compared, JSON.stringify(left)).toBeGreaterThan(COUNT / 2);
  expect(steps).toBeGreaterThan(compared);
}
