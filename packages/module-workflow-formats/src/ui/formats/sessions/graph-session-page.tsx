import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import type { GraphSession } from "@oven/contract/formats/sessions.ts";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { Link as RouterLink, useParams } from "react-router-dom";
import { useFresh } from "../../use-fresh.ts";
import { AnswerForm } from "./answer-form.tsx";
import { SessionStatusChip, StepStatusChip } from "./session-status.tsx";
import { StatePanel } from "./state-panel.tsx";

const REFRESH_MS = 2_000;

/** One session: its steps, what it waits for, and its state, to be read and changed. */
export function GraphSessionPage(): ReactElement {
  const { session: id = "" } = useParams();
  const { data: session, error, refetch } = useFresh<GraphSession>(`graph-sessions/${id}`, REFRESH_MS);
  if (session === undefined)
    return error === null ? (
      <Skeleton variant="rounded" height={400} />
    ) : (
      <>
        <PageHeader title={t("Session")} parent={{ to: "/workflow-formats", label: t("Workflow formats") }} />
        <ErrorPanel error={error} title={t("This session could not be loaded")} onRetry={refetch} />
      </>
    );
  return <LoadedSession session={session} onChanged={refetch} />;
}

function LoadedSession({ session, onChanged }: { session: GraphSession; onChanged: () => void }): ReactElement {
  const { id, status, reason, created_at: at, execution_id: run, graph_id: graph, waiting } = session;
  const mayRun = useCan("session-graphs.execute");
  const [cancelling, setCancelling] = useState(false);
  const isLive = ["pending", "running", "waiting"].includes(status);
  return (
    <>
      <PageHeader
        title={t("Session")}
        parent={{ to: `/session-graphs/${graph}`, label: t("Sessions") }}
        badges={<SessionStatusChip status={status} />}
        line={
          <>
            <code>{id}</code>
            <span>{tx("started {{time}}", { time: <RelativeTime at={at} /> })}</span>
            <Link component={RouterLink} to={`/agent-workflow-executions/${run}/show`}>
              {t("Run {{id}}", { id: run })}
            </Link>
          </>
        }
        actions={
          mayRun && isLive ? (
            <Button size="small" variant="outlined" onClick={() => setCancelling(true)}>
              {t("Cancel")}
            </Button>
          ) : undefined
        }
      />
      <ConfirmDialog
        open={cancelling}
        title={t("Cancel this session?")}
        text={t("What runs is stopped. A session that was cancelled cannot be taken up again.")}
        confirmLabel={t("Cancel the session")}
        onConfirm={async () => {
          await api(`graph-sessions/${id}/cancel`, { method: "POST" });
          onChanged();
        }}
        onClose={() => setCancelling(false)}
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {reason === null ? null : (
          <Box role="status" sx={{ fontSize: 14, overflowWrap: "anywhere" }}>
            {reason}
          </Box>
        )}
        {mayRun
          ? waiting
              .filter((wait) => wait.schema !== null)
              .map((wait) => <AnswerForm key={wait.step} session={id} wait={wait} onAnswered={onChanged} />)
          : null}
        <Panel title={t("Steps")} flush>
          <Box component="ul" aria-label={t("Steps")} sx={{ m: 0, p: 0 }}>
            {Object.keys(session.state.workflow).map((step) => (
              <StepRow key={step} session={session} step={step} mayRun={mayRun} onChanged={onChanged} />
            ))}
          </Box>
        </Panel>
        <StatePanel session={session} mayWrite={mayRun && status !== "cancelled"} onWritten={onChanged} />
      </Box>
    </>
  );
}

interface StepRowProps {
  session: GraphSession;
  step: string;
  mayRun: boolean;
  onChanged: () => void;
}

function StepRow({ session, step, mayRun, onChanged }: StepRowProps): ReactElement | null {
  const retry = useAction(async () => {
    await api(`graph-sessions/${session.id}/steps/${step}/retry`, { method: "POST" });
    onChanged();
  });
  const row = session.state.workflow[step];
  if (row === undefined) return null;
  const needs = session.waiting.find((wait) => wait.step === step)?.needs ?? [];
  return (
    <Box
      component="li"
      sx={{
        listStyle: "none",
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1.25,
        px: 2,
        py: 1,
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
      }}
    >
      <Box sx={{ flex: "1 1 160px", minWidth: 0 }}>
        <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{step}</Box>
        {row.error === "" ? null : (
          <Box sx={{ fontSize: 13, color: "error.main", overflowWrap: "anywhere" }}>{row.error}</Box>
        )}
        {needs.length === 0 ? null : (
          <Box sx={{ fontSize: 13, color: "text.secondary", overflowWrap: "anywhere" }}>
            {tx("waits for {{needs}}", { needs: <code>{needs.join(", ")}</code> })}
          </Box>
        )}
        {retry.failure === null ? null : (
          <ErrorPanel error={retry.failure} title={t("{{step}} was not run again", { step })} />
        )}
      </Box>
      {mayRun && row.status === "error" && session.status !== "cancelled" ? (
        <Button
          size="small"
          disabled={retry.busy}
          onClick={() => void retry.run()}
          aria-label={t("Retry {{step}}", { step })}
        >
          {t("Retry")}
        </Button>
      ) : null}
      <StepStatusChip status={row.status} />
    </Box>
  );
}
