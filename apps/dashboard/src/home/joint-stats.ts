import type { RunStats } from "@oven/contract/run";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { WORKFLOW_KINDS, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";

/** Statistics of the runs of a workflow, with its kind. */
export interface KindStats extends RunStats {
  of: WorkflowKind;
}

const [FIRST, SECOND] = WORKFLOW_KINDS as [WorkflowKind, WorkflowKind]; // cast: there are two kinds

/** What the runs of both kinds came to, as the server answers it for each. Undefined until both are there. */
export function useKindStats(query: string): { data: KindStats[] | undefined; error: unknown } {
  const first = useAnswer<RunStats[]>(`${FIRST.executionResource}/stats?${query}`);
  const second = useAnswer<RunStats[]>(`${SECOND.executionResource}/stats?${query}`);
  const all =
    first.data === undefined || second.data === undefined
      ? undefined
      : [...first.data.map((row) => ({ ...row, of: FIRST })), ...second.data.map((row) => ({ ...row, of: SECOND }))];
  return { data: all, error: first.error ?? second.error };
}

/**
 * Rows of the same day added up. Of durations the longer one counts: half of all runs are within the longer of two medians, and 95 of 100
 * within the longer of the others.
 */
export function addUpDays(rows: readonly RunStats[]): RunStats[] {
  const days = Map.groupBy(rows, ({ key }) => key);
  return [...days.values()].map((of) => of.reduce(add)).toSorted((one, other) => one.key.localeCompare(other.key));
}

function add(one: RunStats, other: RunStats): RunStats {
  return {
    key: one.key,
    name: one.name,
    runs: one.runs + other.runs,
    completed: one.completed + other.completed,
    failed: one.failed + other.failed,
    tokens: one.tokens + other.tokens,
    costMicros: one.costMicros + other.costMicros,
    medianMs: longer(one.medianMs, other.medianMs),
    p95Ms: longer(one.p95Ms, other.p95Ms),
    last: one.last.at > other.last.at ? one.last : other.last,
  };
}

function longer(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
