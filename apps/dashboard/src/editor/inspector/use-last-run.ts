import type { Execution, ExecutionSummary } from "@oven/contract";
import { useGetList, useGetOne } from "react-admin";
import type { WorkflowKind } from "../../resources/workflows/workflow-kind.ts";

/** The newest run of a workflow with its steps; undefined: there is none, or it is not here yet. */
export function useLastRun(kind: WorkflowKind, workflowId: number): Execution | undefined {
  const [newest] =
    useGetList<ExecutionSummary>(
      kind.executionResource,
      {
        filter: { [kind.workflowIdField]: workflowId },
        pagination: { page: 1, perPage: 1 },
        sort: { field: "id", order: "DESC" },
      },
      { staleTime: 5_000 },
    ).data ?? [];
  const { data } = useGetOne(
    kind.executionResource,
    { id: newest?.id ?? 0 },
    { enabled: newest !== undefined, retry: false },
  );
  // What a list answered is at hand at once, and leaves the steps out.
  return data !== undefined && "nodes" in data ? (data as Execution) : undefined; // cast: the whole row of a run
}
