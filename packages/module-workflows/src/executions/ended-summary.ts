import type { ExecutionSummary } from "@oven/contract/run";
import type { RunCommit } from "@oven/engine";
import type { LeasedRun } from "../runtime/insert-execution.ts";
import { storable } from "../runtime/statement-builder.ts";
import { toSummary } from "./execution-row.ts";

/**
 * The summary of a run after its last commit, without reading it: the process that inserted the run and made the commit has all of it.
 * @param output as JSON
 */
export function toEndedSummary(
  { row, kind, workflowSlug }: LeasedRun,
  columns: RunCommit["columns"],
  output: string,
): ExecutionSummary {
  const { errorInfo } = columns;
  const ended = {
    ...row,
    ...columns,
    // What a column would give back.
    output: JSON.parse(output),
    error: asText(errorInfo?.message ?? null),
    outcome: asText(columns.outcome),
    currentState: storable(columns.currentState),
    waitingUntil: toDate(columns.waitingUntil),
    startedAt: toDate(columns.startedAt),
    completedAt: toDate(columns.completedAt),
  };
  return toSummary(ended, kind.kind, { name: row.workflowName, slug: workflowSlug });
}

function asText(text: string | null): string | null {
  return text === null ? null : storable(text);
}

function toDate(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant);
}
