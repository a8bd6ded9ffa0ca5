import { setImmediate as nextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { inSlices } from "./slices.ts";

/** Longer than a slice, so that each step is one. */
function compute(): void {
  const until = performance.now() + 6;
  while (performance.now() < until);
}

const STEPS = [1, 2, 3, 4, 5];

it("gives others their turn between any two slices, however many computations there are", async () => {
  const order: string[] = [];
  let isDone = false;
  const work = Promise.all(
    ["a", "b", "c"].map((name) =>
      inSlices(STEPS, (step) => {
        compute();
        order.push(`${name}${step}`);
        return true;
      }),
    ),
  ).then(() => {
    isDone = true;
  });
  let rounds = 0;
  let most = 0;
  while (!isDone) {
    const before = order.length;
    await nextRound();
    most = Math.max(most, order.length - before);
    rounds += 1;
  }
  await work;
  expect(order).toHaveLength(15);
  // One slice a round: what came in meanwhile waited for one of them, not for all.
  expect(most).toBe(1);
  expect(rounds).toBeGreaterThanOrEqual(15);
});

it("stops where the step says so, and passes errors on", async () => {
  const seen: number[] = [];
  await inSlices(STEPS, (step) => seen.push(step) < 2);
  expect(seen).toEqual([1, 2]);
  await expect(
    inSlices(STEPS, () => {
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
});
