import { expect, it } from "vitest";
import { RunNumbers } from "./run-numbers.ts";

function numbersBeside() {
  const state = { now: 0, last: 0, fetched: [] as number[] };
  const numbers = new RunNumbers(
    async (count) => {
      state.fetched.push(count);
      return Array.from({ length: count }, () => ++state.last);
    },
    () => state.now,
  );
  return { state, numbers };
}

it("more numbers are fetched at once while many runs begin, and none is used that has become old", async () => {
  const { state, numbers } = numbersBeside();
  for (let number = 1; number <= 100; number++) expect(await numbers.take(1)).toEqual([number]);
  expect(state.fetched).toEqual([1, 2, 4, 8, 16, 32, 32, 32]);
  // Another process may have begun a run meanwhile, under a higher number than those that are left.
  state.now = 50;
  expect(await numbers.take(1)).toEqual([128]);
  expect(state.fetched.at(-1)).toBe(1);
});

it("numbers rise for all who ask at once, and those of one who asks for several, too", async () => {
  const { numbers } = numbersBeside();
  const taken = await Promise.all([numbers.take(1), numbers.take(3), numbers.take(2), numbers.take(40)]);
  expect(taken.flat()).toEqual(Array.from({ length: 46 }, (_, index) => index + 1));
});

it("a fetch that fails fails who asked, and nobody after", async () => {
  let fails = true;
  const numbers = new RunNumbers(async (count) => {
    if (fails) throw new Error("the connection is gone");
    return Array.from({ length: count }, (_, index) => index + 1);
  });
  await expect(numbers.take(1)).rejects.toThrow("gone");
  fails = false;
  expect(await numbers.take(1)).toEqual([1]);
});
