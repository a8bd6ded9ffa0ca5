import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { ExecutionSummary } from "@oven/contract/run";
import { TEST_RUN } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney, formatTokens, toElapsed } from "@oven/ui/components/format.ts";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";
import { versionName } from "../../run/use-pinned-definition.ts";

export interface RunsTabProps {
  kind: WorkflowKind;
  workflowId: number;
  /** The status of the run on the canvas. The list is read again when it changes. */
  status: string | undefined;
  onLook: (id: number) => void;
}

/** The newest runs of the workflow and of its drafts. */
export function RunsTab({ kind, workflowId, status, onLook }: RunsTabProps): ReactElement {
  const { data, error, refetch } = useGetList<ExecutionSummary>(kind.executionResource, {
    pagination: { page: 1, perPage: 25 },
    sort: { field: "id", order: "DESC" },
    filter: { [kind.workflowIdField]: workflowId },
    meta: { status },
  });
  if (error)
    return (
      <Box sx={{ p: 1.75 }}>
        <ErrorPanel error={error} title={t("The runs could not be loaded")} onRetry={() => void refetch()} />
      </Box>
    );
  if (data === undefined) return <Skeleton variant="rounded" height={90} sx={{ m: 1.75 }} />;
  if (data.length === 0)
    return <Box sx={{ p: 1.75, fontSize: 13, color: "text.secondary" }}>{t("It has not run yet.")}</Box>;
  return (
    <Box component="ol" aria-label={t("Past runs")} sx={{ m: 0, px: 1.75, py: 0.5, listStyle: "none" }}>
      {data.map((run) => (
        <Box
          component="li"
          key={run.id}
          sx={{
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            gap: 1.25,
            py: 0.5,
            fontSize: 13,
            borderBottom: 1,
            borderColor: "divider",
            color: "text.secondary",
          }}
        >
          <Button size="small" aria-label={t("Look at run #{{id}}", { id: run.id })} onClick={() => onLook(run.id)}>
            #{run.id}
          </Button>
          <StatusChip status={run.status} outcome={run.outcome} />
          <span>
            {run.triggerEvent === TEST_RUN && run.workflowVersion > 0
              ? t("{{version}}, test", { version: versionName(run.workflowVersion) })
              : versionName(run.workflowVersion)}
          </span>
          <span>{formatDuration(toElapsed(run, Date.now()) ?? 0)}</span>
          <span>{formatTokens(run.tokenUsage)}</span>
          <span>{formatMoney(run.costMicros)}</span>
          <RelativeTime at={run.startedAt ?? run.createdAt} />
        </Box>
      ))}
    </Box>
  );
}
