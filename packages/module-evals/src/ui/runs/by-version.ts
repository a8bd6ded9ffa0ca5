import type { EvalRun } from "@oven/contract/eval";

/** More have no room beside each other. */
const MOST = 20;

/** Of each version the newest evaluation, the oldest version first. @param runs the newest first */
export function byVersion(runs: readonly EvalRun[]): EvalRun[] {
  const newest = new Map<number, EvalRun>();
  for (const run of runs) if (!newest.has(run.target.version)) newest.set(run.target.version, run);
  return [...newest.values()].toSorted((a, b) => a.target.version - b.target.version).slice(-MOST);
}
