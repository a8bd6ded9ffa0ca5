import type { ExecutionSummary } from "@oven/contract/run";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { runPath, WORKFLOW_KINDS, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useGetOne } from "react-admin";

/**
 * Runs of both kinds have ids of one sequence, and parents and children name each other by the id alone: a run that was
 * not found in one kind is looked for in the other.
 * @param error what the first question was answered with
 */
export function useOtherKind(kind: WorkflowKind, id: string, error: unknown): { asking: boolean; path: string | null } {
  const missing = error instanceof ApiError && error.status === 404;
  const other = WORKFLOW_KINDS.find((entry) => entry !== kind) ?? kind;
  const { data, isPending } = useGetOne<ExecutionSummary>(
    other.executionResource,
    { id: Number(id) },
    { enabled: missing, retry: false },
  );
  if (!missing) return { asking: false, path: null };
  return { asking: isPending, path: data === undefined ? null : runPath(data.kind, data.id) };
}
