import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { ExecutionRow } from "@oven/workflow-editor/run/execution-row.tsx";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";

/** The newest runs of one workflow. */
export function WorkflowRuns({ kind, workflowId }: { kind: WorkflowKind; workflowId: number }): ReactElement {
  const { data, error, refetch } = useGetList<ExecutionSummary>(
    kind.executionResource,
    {
      filter: { [kind.workflowIdField]: workflowId },
      pagination: { page: 1, perPage: 20 },
      sort: { field: "id", order: "DESC" },
    },
    { refetchInterval: 5_000 },
  );
  if (error)
    return <ErrorPanel error={error} title={t("The runs could not be loaded")} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton variant="rounded" height={120} />;
  if (data.length === 0) return <Box sx={{ color: "text.secondary" }}>{t("Not run yet. Press Run to try it.")}</Box>;
  return (
    <Box sx={{ m: -2 }}>
      {data.map((run) => (
        <ExecutionRow key={run.id} run={run} />
      ))}
    </Box>
  );
}
