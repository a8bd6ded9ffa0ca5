import { expect, it } from "vitest";
import { measureLists } from "./run-lists.ts";

it("makes the runs that it lists, and finds in each list what it must", async () => {
  const costs = await measureLists(400);
  expect(Object.fromEntries(costs.map(({ name, total }) => [name, total]))).toMatchObject({
    newest: 300,
    "far down": 300,
    "of one workflow": 40,
    failed: 40,
    "of one caller": 8,
    "words of the input": 0,
  });
  expect(costs.every(({ milliseconds }) => milliseconds > 0)).toBe(true);
});
