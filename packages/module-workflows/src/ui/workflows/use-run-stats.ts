import type { RunStats } from "@oven/contract/run";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";

export const STATS_DAYS = 30;

/** What the runs of each workflow came to in the last thirty days; `null` where there were none, undefined until it is known. */
export function useRunStats({ executionResource }: WorkflowKind): (workflowId: number) => RunStats | null | undefined {
  const mayRead = useCan("executions.read");
  const { data } = useAnswer<RunStats[]>(mayRead ? `${executionResource}/stats?by=workflow&days=${STATS_DAYS}` : null);
  const byId = new Map((data ?? []).map((row) => [row.key, row]));
  return (workflowId) => (data === undefined ? undefined : (byId.get(String(workflowId)) ?? null));
}

/** `98 %` of the runs that have ended one way or the other; null: none has. */
export function toSuccess({ completed, failed }: Pick<RunStats, "completed" | "failed">): string | null {
  const ended = completed + failed;
  if (ended === 0) return null;
  const percent = (completed / ended) * 100;
  // What failed once is never shown as if it had not.
  return `${failed > 0 && percent > 99 ? "99" : Math.round(percent)} %`;
}
