import { expect, it } from "vitest";
import { toDaySeries } from "./day-series.ts";

it("has a place for each day, with and without runs, over the turn of a month", () => {
  const series = toDaySeries([{ key: "2026-02-28" }, { key: "2026-03-02" }], 4, Date.parse("2026-03-02T00:00:01Z"));
  expect(series).toEqual([
    { day: "2026-02-27", at: -1 },
    { day: "2026-02-28", at: 0 },
    { day: "2026-03-01", at: -1 },
    { day: "2026-03-02", at: 1 },
  ]);
});
