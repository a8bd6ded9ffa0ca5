import CompareArrowsRounded from "@mui/icons-material/CompareArrowsRounded";
import DownloadRounded from "@mui/icons-material/DownloadRounded";
import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import ReplayRounded from "@mui/icons-material/ReplayRounded";
import StopRounded from "@mui/icons-material/StopRounded";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { Execution } from "@oven/contract/run";
import { isTerminal } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { formatDuration, formatMoney, formatTokens, toElapsed } from "@oven/ui/components/format.ts";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { SimulatedChip } from "@oven/ui/components/simulated-chip.tsx";
import { StatusChip, ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { kindOf, runPath, workflowIdOf, workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { useUiModules } from "@oven/ui/ui-module.ts";
import { RetryDialog } from "@oven/workflow-editor/run/retry-dialog.tsx";
import { useMayBuild } from "@oven/workflow-editor/screen/assistant/use-may-build.ts";
import { type ReactElement, Suspense, useState } from "react";
import { useGetOne } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { HoldButton } from "../holds/hold-button.tsx";
import { HoldNotices } from "../holds/hold-notice.tsx";
import { useHolds } from "../holds/use-holds.ts";
import { RunDialog } from "../workflows/run-dialog.tsx";
import { CompareDialog } from "./compare-dialog.tsx";
import { WhyButton } from "./why-button.tsx";

/** What has ended badly can go on, unless it was undone; a child is retried with its parent. */
function isRetryable({ status, parentId, errorInfo }: Execution): boolean {
  if (errorInfo?.details?.undone !== undefined) return false;
  return parentId === null && (status === "failed" || status === "cancelled");
}

/** The runs this one came from. */
function relationsOf({ parentId, retryOf, forkOf }: Execution): { word: string; id: number }[] {
  const relations = [
    { word: t("part of"), id: parentId },
    { word: t("retry of"), id: retryOf },
    { word: t("forked from"), id: forkOf },
  ];
  return relations.flatMap(({ word, id }) => (id === null ? [] : [{ word, id }]));
}

export interface ExecutionHeadProps {
  run: Execution;
  now: number;
  parent: { to: string; label: string };
  /** The stream broke off and is being taken up again. */
  lost: boolean;
  onChange: () => void;
}

export function ExecutionHead({ run, now, parent, lost, onChange }: ExecutionHeadProps): ReactElement {
  const [asking, setAsking] = useState(false);
  const [again, setAgain] = useState(false);
  const [retrying, setRetrying] = useState(false);
  const [comparing, setComparing] = useState(false);
  const mayCancel = useCan("executions.cancel");
  const kind = kindOf(run.kind);
  const workflowId = workflowIdOf(run);
  const mayRun = useCan(`${kind.resource}.execute`);
  const { data: workflow } = useGetOne<Workflow>(
    kind.resource,
    { id: workflowId ?? 0 },
    { enabled: workflowId !== undefined, retry: false },
  );
  const mayBuild = useMayBuild();
  const actions = useUiModules().flatMap(({ runAction }) => (runAction === undefined ? [] : [runAction]));
  const elapsed = toElapsed(run, now);
  const { holds, refetch: lookAgain } = useHolds({
    runs: [run.id, run.rootId],
    ...(workflowId !== undefined && { workflow: { kind: run.kind, id: workflowId } }),
  });
  const holding = isTerminal(run.status) ? [] : holds;
  const name = `${run.workflowName} #${run.id}`;
  return (
    <>
      <PageHeader
        title={name}
        parent={parent}
        badges={
          <>
            <StatusChip status={run.status} outcome={run.outcome} />
            {run.simulated ? <SimulatedChip /> : null}
            {run.options?.dryRun === true ? <ToneChip tone="queued" word={t("Dry run")} /> : null}
            {lost ? (
              <span role="status" style={{ fontSize: 12.5 }}>
                {t("reconnecting…")}
              </span>
            ) : null}
          </>
        }
        line={
          <>
            <span>{elapsed === null ? t("not started") : formatDuration(elapsed)}</span>
            <span>{formatTokens(run.tokenUsage)}</span>
            <span>{formatMoney(run.costMicros)}</span>
            <span>{tx("started {{time}}", { time: <RelativeTime at={run.startedAt ?? run.createdAt} /> })}</span>
            {relationsOf(run).map(({ word, id }) => (
              <span key={word}>
                {word}{" "}
                <Link component={RouterLink} to={runPath(run.kind, id)}>
                  #{id}
                </Link>
              </span>
            ))}
            {workflowId === undefined ? null : (
              <Link component={RouterLink} to={workflowPath(run.kind, workflowId)}>
                {t("Open the workflow")}
              </Link>
            )}
          </>
        }
        actions={
          <>
            {actions.map((Action, index) => (
              <Suspense key={index}>
                <Action run={run} />
              </Suspense>
            ))}
            <Button startIcon={<CompareArrowsRounded />} onClick={() => setComparing(true)}>
              {t("Compare")}
            </Button>
            <Button
              startIcon={<DownloadRounded />}
              component="a"
              href={`/api/${kind.executionResource}/${run.id}/export`}
              download
            >
              {t("Export")}
            </Button>
            {isTerminal(run.status) || holding.some(({ executionId }) => executionId !== null) ? null : (
              <HoldButton
                about={{ executionId: run.id }}
                label={t("Hold")}
                title={t("Hold {{name}}?", { name })}
                onDone={lookAgain}
              />
            )}
            {isTerminal(run.status) || !mayCancel ? null : (
              <Button variant="outlined" startIcon={<StopRounded />} onClick={() => setAsking(true)}>
                {t("Cancel")}
              </Button>
            )}
            {workflow === undefined || !mayBuild || run.status !== "failed" || run.kind !== "agent-workflow" ? null : (
              <WhyButton workflowId={workflow.id} runId={run.id} />
            )}
            {workflow === undefined || !mayRun || !isRetryable(run) ? null : (
              <Button
                variant="contained"
                startIcon={<ReplayRounded />}
                onClick={() => setRetrying(true)}
                disabled={!workflow.enabled}
              >
                {t("Retry")}
              </Button>
            )}
            {workflow === undefined || !mayRun || run.parentId !== null ? null : (
              <Button
                variant="outlined"
                startIcon={<PlayArrowRounded />}
                onClick={() => setAgain(true)}
                disabled={!workflow.enabled}
              >
                {t("Run again")}
              </Button>
            )}
          </>
        }
      />
      <HoldNotices holds={holding} onChange={lookAgain} />
      <ConfirmDialog
        open={asking}
        title={t("Cancel {{name}}?", { name })}
        text={t(
          "What has finished stays recorded. The nodes that are running are stopped, and open reviews are withdrawn.",
        )}
        confirmLabel={t("Cancel the run")}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await api(`${kind.executionResource}/${run.id}/cancel`, { method: "POST", body: {} });
          onChange();
        }}
      />
      {comparing ? <CompareDialog run={run} onClose={() => setComparing(false)} /> : null}
      {workflow === undefined || !retrying ? null : (
        <RetryDialog run={run} currentVersion={workflow.version} onClose={() => setRetrying(false)} />
      )}
      {workflow === undefined || !again ? null : (
        <RunDialog
          kind={kind}
          workflow={workflow}
          initialInput={run.input}
          recordingOf={run.id}
          onClose={() => setAgain(false)}
        />
      )}
    </>
  );
}
