import type { JsonObject, Workflow, WorkflowVersion } from "@oven/contract";
import { useGetList, useGetOne } from "react-admin";

const VERSIONS = { pagination: { page: 1, perPage: 200 }, sort: { field: "version", order: "DESC" as const } };

/** The definition a run is pinned to: that of its version, which need not be today's. */
export function usePinnedDefinition(
  workflowId: number | undefined,
  version: number | undefined,
): { definition: JsonObject | undefined; workflow: Workflow | undefined } {
  const known = workflowId !== undefined && version !== undefined;
  const { data: workflow } = useGetOne<Workflow>(
    "agent-workflows",
    { id: workflowId ?? 0 },
    { enabled: known, retry: false },
  );
  const older = known && workflow !== undefined && workflow.version !== version;
  const { data: versions } = useGetList<WorkflowVersion>(`agent-workflows/${workflowId}/versions`, VERSIONS, {
    enabled: older,
  });
  if (!older) return { definition: workflow?.definition, workflow };
  return { definition: versions?.find((entry) => entry.version === version)?.definition, workflow };
}
