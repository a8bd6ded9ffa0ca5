import PlayCircleOutlineRounded from "@mui/icons-material/PlayCircleOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { type JointRow, jointResource } from "@oven/ui/api/joint-list.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { formatDuration, formatMoney, formatTokens, toElapsed } from "@oven/ui/components/format.ts";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { ListViews } from "@oven/ui/components/saved-views.tsx";
import { SimulatedChip } from "@oven/ui/components/simulated-chip.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import { AGENT_WORKFLOWS, runPath, WORKFLOW_KINDS } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { DataTable, ListBase, useListContext } from "react-admin";
import { Link } from "react-router-dom";
import { FailureList } from "../failures/failure-list.tsx";
import { HoldButton } from "../holds/hold-button.tsx";
import { HoldNotices } from "../holds/hold-notice.tsx";
import { useHolds } from "../holds/use-holds.ts";
import { MoreFilters } from "./execution-filters.tsx";
import { WorkflowFilter } from "./workflow-filter.tsx";

const STATUSES = [
  { label: t("Queued"), value: "pending" },
  { label: t("Running"), value: "running" },
  { label: t("Paused"), value: "paused" },
  { label: t("Completed"), value: "completed" },
  { label: t("Failed"), value: "failed" },
  { label: t("Cancelled"), value: "cancelled" },
];

function elapsed(run: ExecutionSummary, now: number): string {
  const ms = toElapsed(run, now);
  return ms === null ? "–" : formatDuration(ms);
}

const RESOURCE = jointResource(WORKFLOW_KINDS.map(({ executionResource }) => executionResource));

/** Runs of both kinds of workflow in one list. */
export function ExecutionList(): ReactElement {
  const { holds, refetch } = useHolds({});
  return (
    <ListBase
      resource={RESOURCE}
      sort={{ field: "id", order: "DESC" }}
      perPage={25}
      queryOptions={{ refetchInterval: 5_000 }}
    >
      <PageHeader
        title={t("Executions")}
        line={t("Every run of a workflow, newest first.")}
        actions={
          holds.length > 0 ? null : (
            <HoldButton about={{ all: true }} label={t("Hold all")} title={t("Hold all runs?")} onDone={refetch} />
          )
        }
      />
      <HoldNotices holds={holds} onChange={refetch} />
      <TabBar
        label={t("Runs and failures")}
        tabs={[
          {
            id: "runs",
            label: t("Runs"),
            content: () => (
              <Box sx={{ mx: -2 }}>
                <Runs />
              </Box>
            ),
          },
          { id: "failures", label: t("Failures"), content: () => <FailureList /> },
        ]}
      />
    </ListBase>
  );
}

function Runs(): ReactElement {
  return (
    <ListBody
      noun={t("executions")}
      filters={
        <>
          <WorkflowFilter />
          <SearchField label={t("Search workflow, state or error")} />
          <FilterChips field="status" label={t("Status")} choices={STATUSES} />
          <MoreFilters />
          <ListViews of={AGENT_WORKFLOWS.executionResource} />
        </>
      }
      empty={
        <EmptyState
          icon={<PlayCircleOutlineRounded />}
          title={t("Nothing has run yet")}
          text={t("Run a workflow and follow it here, node by node.")}
          action={
            <Button variant="contained" component={Link} to={`/${AGENT_WORKFLOWS.resource}`}>
              {t("Choose a workflow")}
            </Button>
          }
        />
      }
    >
      <ExecutionRows />
    </ListBody>
  );
}

function ExecutionRows(): ReactElement {
  const narrow = useIsNarrow();
  const { data } = useListContext<JointRow<ExecutionSummary>>();
  const moving = (data ?? []).some(({ row }) => row.status === "running");
  const now = useNow(1_000, moving);
  if (narrow) {
    return (
      <>
        {(data ?? []).map(({ row: run }) => (
          <RowCard
            key={run.id}
            to={runPath(run.kind, run.id)}
            title={`${run.workflowName} #${run.id}`}
            aside={<StatusChip status={run.status} outcome={run.outcome} />}
          >
            <RelativeTime at={run.createdAt} />
            <span>{elapsed(run, now)}</span>
            <span>{formatTokens(run.tokenUsage)}</span>
            {run.simulated ? <span>{t("simulated")}</span> : null}
          </RowCard>
        ))}
      </>
    );
  }
  return (
    <DataTable<JointRow<ExecutionSummary>>
      rowClick={(_id, _resource, { row }) => runPath(row.kind, row.id)}
      bulkActionButtons={false}
    >
      <DataTable.Col
        source="id"
        label={t("Workflow and run")}
        render={({ row: run }: JointRow<ExecutionSummary>) => (
          <Box sx={{ display: "flex", alignItems: "center", gap: 1 }}>
            <Box
              component={Link}
              to={runPath(run.kind, run.id)}
              onClick={(event: { stopPropagation: () => void }) => event.stopPropagation()}
              sx={{
                fontWeight: 600,
                color: "text.primary",
                textDecoration: "none",
                "&:hover": { textDecoration: "underline" },
              }}
            >
              {run.workflowName}
            </Box>
            <Box sx={{ color: "text.secondary" }}>#{run.id}</Box>
            {run.simulated ? <SimulatedChip /> : null}
          </Box>
        )}
      />
      <DataTable.Col
        source="status"
        label={t("Status")}
        render={({ row: run }: JointRow<ExecutionSummary>) => <StatusChip status={run.status} outcome={run.outcome} />}
      />
      <DataTable.Col
        disableSort
        label={t("At")}
        render={({ row: run }: JointRow<ExecutionSummary>) => (
          <Box component="span" sx={{ color: "text.secondary" }}>
            {run.currentState}
          </Box>
        )}
      />
      <DataTable.Col
        disableSort
        sx={{ textAlign: "right" }}
        label={t("Duration")}
        render={({ row: run }: JointRow<ExecutionSummary>) => elapsed(run, now)}
      />
      <DataTable.Col
        disableSort
        sx={{ textAlign: "right" }}
        label={t("Tokens")}
        render={({ row: run }: JointRow<ExecutionSummary>) => formatTokens(run.tokenUsage)}
      />
      <DataTable.Col
        source="costMicros"
        sx={{ textAlign: "right" }}
        label={t("Cost")}
        render={({ row: run }: JointRow<ExecutionSummary>) => formatMoney(run.costMicros)}
      />
      <DataTable.Col
        disableSort
        label={t("Started")}
        render={({ row: run }: JointRow<ExecutionSummary>) => <RelativeTime at={run.startedAt ?? run.createdAt} />}
      />
    </DataTable>
  );
}
