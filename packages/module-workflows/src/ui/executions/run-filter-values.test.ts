import { afterAll, beforeAll, expect, it } from "vitest";
import { dayAfter, startOfDay, toDay } from "./run-filter-values.ts";

const before = process.env.TZ;
beforeAll(() => {
  process.env.TZ = "Europe/Berlin";
});
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

it("takes a day for the hours it has where somebody looks, also when the clocks change", () => {
  expect(startOfDay("2026-03-29")).toBe("2026-03-28T23:00:00.000Z");
  expect(dayAfter("2026-03-29")).toBe("2026-03-29T22:00:00.000Z");
});

it("shows the days again that were chosen", () => {
  for (const day of ["2026-03-01", "2026-03-29", "2026-10-25", "2026-12-31"])
    expect([toDay(startOfDay(day)), toDay(dayAfter(day), true)]).toEqual([day, day]);
  expect(toDay("soon")).toBe("");
});
