import type { ExecutionSummary, JsonObject, Workflow, WorkflowVersion } from "@oven/contract";
import { useGetList, useGetOne } from "react-admin";
import { kindOf, workflowIdOf } from "../workflows/workflow-kind.ts";

const VERSIONS = { pagination: { page: 1, perPage: 200 }, sort: { field: "version", order: "DESC" as const } };

type Run = Pick<ExecutionSummary, "kind" | "workflowId" | "agentWorkflowId" | "workflowVersion">;

/** The definition a run is pinned to: that of its version, which need not be today's. */
export function usePinnedDefinition(run: Run): { definition: JsonObject | undefined; workflow: Workflow | undefined } {
  const workflowId = workflowIdOf(run);
  const version = run.workflowVersion;
  const { resource } = kindOf(run.kind);
  const known = workflowId !== undefined;
  const { data: workflow } = useGetOne<Workflow>(resource, { id: workflowId ?? 0 }, { enabled: known, retry: false });
  const older = known && workflow !== undefined && workflow.version !== version;
  const { data: versions } = useGetList<WorkflowVersion>(`${resource}/${workflowId}/versions`, VERSIONS, {
    enabled: older,
  });
  if (!older) return { definition: workflow?.definition, workflow };
  return { definition: versions?.find((entry) => entry.version === version)?.definition, workflow };
}
