import type { RunStats } from "@oven/contract/run";
import { expect, it } from "vitest";
import { addUpDays } from "./joint-stats.ts";

const row = (key: string, more: Partial<RunStats>): RunStats => ({
  key,
  name: null,
  runs: 1,
  completed: 1,
  failed: 0,
  tokens: 10,
  costMicros: 5,
  medianMs: null,
  p95Ms: null,
  last: { id: 1, status: "completed", at: `${key}T10:00:00.000Z` },
  ...more,
});

it("adds up the runs of both kinds day by day, and never says that they were faster than they were", () => {
  const later = { id: 9, status: "failed" as const, at: "2026-03-02T11:00:00.000Z" };
  const rows = addUpDays([
    row("2026-03-02", { runs: 3, failed: 1, medianMs: 40, p95Ms: 900 }),
    row("2026-03-01", {}),
    row("2026-03-02", { runs: 2, medianMs: 60, p95Ms: 100, last: later }),
  ]);
  expect(rows.map(({ key }) => key)).toEqual(["2026-03-01", "2026-03-02"]);
  expect(rows[1]).toMatchObject({
    runs: 5,
    failed: 1,
    tokens: 20,
    costMicros: 10,
    medianMs: 60,
    p95Ms: 900,
    last: later,
  });
  expect(rows[0]).toMatchObject({ runs: 1, medianMs: null });
});
