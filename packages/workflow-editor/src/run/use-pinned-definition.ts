import type { JsonObject } from "@oven/contract";
import type { ExecutionSummary, RunDefinition } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { kindOf, workflowIdOf } from "@oven/ui/components/workflow-kind.ts";
import { useEffect, useState } from "react";
import { useGetOne } from "react-admin";

type Run = Pick<ExecutionSummary, "id" | "kind" | "workflowId" | "agentWorkflowId" | "workflowVersion">;

/** The definition a run is pinned to: that of its version or draft, which need not be today's. */
export function usePinnedDefinition(run: Run): { definition: JsonObject | undefined; workflow: Workflow | undefined } {
  const workflowId = workflowIdOf(run);
  const { resource, executionResource } = kindOf(run.kind);
  const known = workflowId !== undefined;
  const { data: workflow } = useGetOne<Workflow>(resource, { id: workflowId ?? 0 }, { enabled: known, retry: false });
  const older = workflow !== undefined && workflow.version !== run.workflowVersion;
  const pinned = useRunDefinition(older ? `${executionResource}/${run.id}/definition` : undefined);
  return { definition: older ? pinned : workflow?.definition, workflow };
}

/** Undefined until it is there; a run whose definition cannot be read is shown without its graph. */
function useRunDefinition(path: string | undefined): JsonObject | undefined {
  const [found, setFound] = useState<{ path: string; definition: JsonObject }>();
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    api(path, { signal: gone.signal }).then(
      // cast: the route answers the definition of a run
      ({ json }) => setFound({ path, definition: (json as RunDefinition).definition }),
      () => setFound(undefined),
    );
    return () => gone.abort();
  }, [path]);
  return found?.path === path ? found?.definition : undefined;
}

/** What the run is one of: a version, or a draft that it tested. */
export function versionName(version: number): string {
  return version < 0 ? t("draft {{number}}", { number: -version }) : t("version {{version}}", { version });
}
