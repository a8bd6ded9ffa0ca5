import type { Execution, JsonObject, RunDefinition, Workflow } from "@oven/contract";
import { useEffect, useState } from "react";
import { useGetOne } from "react-admin";
import { api } from "../../providers/api-client.ts";

type PinnedRun = Pick<Execution, "id" | "agentWorkflowId" | "workflowVersion">;

/** The definition a run is pinned to: that of its version or draft, which need not be today's. */
export function usePinnedDefinition(run: PinnedRun | undefined): {
  definition: JsonObject | undefined;
  workflow: Workflow | undefined;
} {
  const { data: workflow } = useGetOne<Workflow>(
    "agent-workflows",
    { id: run?.agentWorkflowId ?? 0 },
    { enabled: run?.agentWorkflowId !== undefined, retry: false },
  );
  const older = workflow !== undefined && run !== undefined && workflow.version !== run.workflowVersion;
  const pinned = useRunDefinition(older ? run.id : undefined);
  return { definition: older ? pinned : workflow?.definition, workflow };
}

/** Undefined until it is there; a run whose definition cannot be read is shown without its graph. */
function useRunDefinition(runId: number | undefined): JsonObject | undefined {
  const [found, setFound] = useState<{ runId: number; definition: JsonObject }>();
  useEffect(() => {
    if (runId === undefined) return;
    const gone = new AbortController();
    api(`agent-workflow-executions/${runId}/definition`, { signal: gone.signal }).then(
      // cast: the route answers the definition of a run
      ({ json }) => setFound({ runId, definition: (json as RunDefinition).definition }),
      () => setFound(undefined),
    );
    return () => gone.abort();
  }, [runId]);
  return found?.runId === runId ? found?.definition : undefined;
}

/** What the run is one of: a version, or a draft that it tested. */
export function versionName(version: number): string {
  return version < 0 ? `draft ${-version}` : `version ${version}`;
}
