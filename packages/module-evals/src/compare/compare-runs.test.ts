import type { Json } from "@oven/contract";
import type { EvalResult, EvalRun } from "@oven/contract/eval";
import { expect, it } from "vitest";
import { compareRuns } from "./compare-runs.ts";

const result = (
  caseName: string,
  status: EvalResult["status"],
  { output = null, score = 1, durationMs = 10 }: { output?: Json; score?: number; durationMs?: number } = {},
): EvalResult => ({
  ...{ id: 1, runId: 1, caseId: 1, caseName, position: 0, tags: [], status, input: {}, output, score, durationMs },
  ...{ executionKind: null, executionId: null, checks: [], error: null, tokens: 1, costMicros: 2 },
  ...{ startedAt: null, endedAt: null },
});
// cast: what a comparison does not look at is left out
const run = (id: number, passRate: number) => ({ id, datasetId: 1, passRate, costMicros: 7, tokens: 9 }) as EvalRun;

it("puts what changed first, names regressions, and sums up both sides", () => {
  const compared = compareRuns(
    {
      run: run(1, 0.6),
      results: [
        result("same", "passed", { output: { a: 1 } }),
        result("output", "passed", { output: { a: 1 } }),
        result("improved", "failed", { score: 0.5 }),
        result("regressed", "passed", { durationMs: 90 }),
        result("broken", "passed"),
        result("removed", "failed"),
      ],
    },
    {
      run: run(2, 0.5),
      results: [
        result("added", "passed"),
        result("broken", "error"),
        result("regressed", "failed"),
        result("improved", "passed"),
        result("output", "passed", { output: { a: 2 } }),
        result("same", "passed", { output: { a: 1 } }),
      ],
    },
  );
  expect(compared.cases.map(({ caseName, change }) => [caseName, change])).toEqual([
    ["regressed", "regressed"],
    ["broken", "regressed"],
    ["improved", "improved"],
    ["output", "output"],
    ["added", "added"],
    ["removed", "removed"],
    ["same", "same"],
  ]);
  expect(compared.regressions).toEqual(["regressed", "broken"]);
  expect(compared.cases[4]).toMatchObject({ a: null, b: { caseName: "added" } });
  expect(compared.summary.a).toEqual({
    ...{ passRate: 0.6, costMicros: 7, tokens: 9, p50DurationMs: 10, p95DurationMs: 90 },
    score: 5.5 / 6,
  });
});

it("has no percentiles of nothing", () => {
  const side = { run: run(1, 0), results: [] };
  expect(compareRuns(side, side).summary.b).toMatchObject({ score: null, p50DurationMs: null, p95DurationMs: null });
});
