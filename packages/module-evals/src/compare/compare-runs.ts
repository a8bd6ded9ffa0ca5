import type { EvalComparison, EvalResult, EvalRun, EvalSummary } from "@oven/contract/eval";
import { isSameJson } from "@oven/engine";

export interface ComparedRun {
  run: EvalRun;
  results: readonly EvalResult[];
}

type Compared = EvalComparison["cases"][number];

const ORDER: readonly Compared["change"][] = ["regressed", "improved", "output", "added", "removed", "same"];

/** Two runs side by side, by the names of their cases; what changed comes first. */
export function compareRuns(a: ComparedRun, b: ComparedRun): EvalComparison {
  const inB = new Map(b.results.map((result) => [result.caseName, result]));
  const names = new Set(a.results.map(({ caseName }) => caseName));
  const cases = [
    ...a.results.map((result) => toCompared(result, inB.get(result.caseName) ?? null)),
    ...b.results.filter(({ caseName }) => !names.has(caseName)).map((result) => toCompared(null, result)),
  ].toSorted((one, other) => ORDER.indexOf(one.change) - ORDER.indexOf(other.change));
  return {
    a: a.run,
    b: b.run,
    summary: { a: toSummary(a), b: toSummary(b) },
    cases,
    regressions: cases.filter(({ change }) => change === "regressed").map(({ caseName }) => caseName),
  };
}

function toCompared(a: EvalResult | null, b: EvalResult | null): Compared {
  return { caseName: a?.caseName ?? b?.caseName ?? "", change: changeOf(a, b), a, b };
}

function changeOf(a: EvalResult | null, b: EvalResult | null): Compared["change"] {
  if (a === null) return "added";
  if (b === null) return "removed";
  if (a.status === "passed" && b.status !== "passed") return "regressed";
  if (a.status !== "passed" && b.status === "passed") return "improved";
  return a.status === b.status && isSameJson(a.output, b.output) ? "same" : "output";
}

function toSummary({ run, results }: ComparedRun): EvalSummary {
  const { passRate, costMicros, tokens } = run;
  const scores = results.flatMap(({ score }) => (score === null ? [] : [score]));
  const durations = results
    .flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    .sort((x, y) => x - y);
  return {
    ...{ passRate, costMicros, tokens },
    score: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    p50DurationMs: percentile(durations, 0.5),
    p95DurationMs: percentile(durations, 0.95),
  };
}

/** The smallest value that at least this share of all is not above. @param sorted ascending */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
