import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import WarningAmberRounded from "@mui/icons-material/WarningAmberRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import type { GraphSession, SessionGraph } from "@oven/contract/formats/sessions.ts";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { ConvertButton } from "@oven/workflow-editor/definition/convert-button.tsx";
import type { ReactElement } from "react";
import { Link as RouterLink, useNavigate, useParams } from "react-router-dom";
import { useFresh } from "../../use-fresh.ts";
import { SessionStatusChip } from "./session-status.tsx";

const PARENT = { to: "/workflow-formats", label: t("Workflow formats") };
const REFRESH_MS = 3_000;

/** A graph's sessions, newest first. */
export function SessionGraphPage(): ReactElement {
  const { graph: id = "" } = useParams();
  const { data: graph, error } = useFresh<SessionGraph>(`session-graphs/${id}`);
  const sessions = useFresh<GraphSession[]>(`session-graphs/${id}/sessions`, REFRESH_MS);
  const mayRun = useCan("session-graphs.execute");
  const navigate = useNavigate();
  const starting = useAction(async () => {
    const { json } = await api(`session-graphs/${id}/sessions`, { method: "POST" });
    // cast: the route's response
    void navigate(`/graph-sessions/${(json as GraphSession).id}`);
  });
  if (graph === undefined)
    return error === null ? (
      <Skeleton variant="rounded" height={300} />
    ) : (
      <>
        <PageHeader title={t("Session graph")} parent={PARENT} />
        <ErrorPanel error={error} title={t("This graph could not be loaded")} />
      </>
    );
  return (
    <>
      <PageHeader
        title={graph.name}
        parent={PARENT}
        line={
          <>
            <span>{t("{{count}} steps", { count: Object.keys(graph.definition.steps).length })}</span>
            <Link component={RouterLink} to={`/agent-workflows/${graph.agent_workflow_id}/show`}>
              {t("Workflow")}
            </Link>
          </>
        }
        actions={
          <>
            <ConvertButton format="session-graph" workflow={graph.graph_id} />
            {mayRun ? (
              <Button
                variant="contained"
                size="small"
                startIcon={<PlayArrowRounded />}
                disabled={starting.busy}
                onClick={() => void starting.run()}
              >
                {t("Start a session")}
              </Button>
            ) : null}
          </>
        }
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {starting.failure === null ? null : <ErrorPanel error={starting.failure} title={t("No session was started")} />}
        {graph.warnings.map(({ path, message, fix }) => (
          <Box
            key={`${path} ${message}`}
            role="note"
            sx={{ display: "flex", gap: 1, p: 1.5, borderRadius: 2, bgcolor: "var(--oven-status-paused-soft)" }}
          >
            <WarningAmberRounded sx={{ fontSize: 19 }} />
            <Box sx={{ minWidth: 0, fontSize: 13.5, overflowWrap: "anywhere" }}>
              <code>{path}</code>: {message}. {fix}
            </Box>
          </Box>
        ))}
        <Panel title={t("Sessions")} flush>
          {sessions.error === null ? null : (
            <ErrorPanel
              error={sessions.error}
              title={t("The sessions could not be loaded")}
              onRetry={sessions.refetch}
            />
          )}
          {sessions.data?.length === 0 ? (
            <EmptyState
              icon={<PlayArrowRounded />}
              title={t("No session yet")}
              text={t("Start one: it begins at root.")}
            />
          ) : null}
          {(sessions.data ?? []).map(({ id: session, status, reason, created_at: at }) => (
            <RowCard
              key={session}
              to={`/graph-sessions/${session}`}
              title={<code>{session}</code>}
              aside={<SessionStatusChip status={status} />}
            >
              <span>{tx("started {{time}}", { time: <RelativeTime at={at} /> })}</span>
              {reason === null ? null : <Box sx={{ overflowWrap: "anywhere" }}>{reason}</Box>}
            </RowCard>
          ))}
        </Panel>
      </Box>
    </>
  );
}
