import type { ScoreSummary } from "@oven/contract/run";

/** Scores of one name and version, or of one name and day, taken together. */
export interface ScoreSum {
  count: number;
  /** From 0 to 1. */
  mean: number;
  up: number;
  down: number;
}

export interface ScoresOfName {
  name: string;
  all: ScoreSum;
  /** The oldest version first. */
  versions: ({ version: number } & ScoreSum)[];
  /** By `2026-03-02`; only days that have scores. */
  days: Map<string, ScoreSum>;
}

/** The rows of the API by name, those with the most scores first. */
export function sumScores(rows: readonly ScoreSummary[]): ScoresOfName[] {
  const names = Map.groupBy(rows, ({ name }) => name);
  return [...names]
    .map(([name, ofName]) => ({
      name,
      all: together(ofName),
      versions: [...Map.groupBy(ofName, ({ version }) => version)]
        .map(([version, ofVersion]) => ({ version, ...together(ofVersion) }))
        .toSorted((one, other) => one.version - other.version),
      days: new Map([...Map.groupBy(ofName, ({ day }) => day)].map(([day, ofDay]) => [day, together(ofDay)])),
    }))
    .toSorted((one, other) => other.all.count - one.all.count || one.name.localeCompare(other.name));
}

/** A day with many scores weighs more than one with few. */
function together(rows: readonly ScoreSummary[]): ScoreSum {
  const sum = (of: (row: ScoreSummary) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const count = sum((row) => row.count);
  return {
    count,
    mean: sum((row) => row.mean * row.count) / count,
    up: sum((row) => row.up),
    down: sum((row) => row.down),
  };
}
