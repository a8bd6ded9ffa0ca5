import ContentCopyRounded from "@mui/icons-material/ContentCopyRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Tooltip from "@mui/material/Tooltip";
import type { Agent } from "@oven/contract/agent";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { SchemaNotes } from "@oven/ui/components/schema-notes.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { useTargetNames } from "@oven/ui/components/use-target-names.ts";
import { EnabledChip } from "@oven/ui/components/workflow-chips.tsx";
import { workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { Link as RouterLink, useNavigate, useParams } from "react-router-dom";
import { toBody, toDraft } from "./agent-draft.ts";
import { AgentPlayground } from "./agent-playground.tsx";
import { AgentSessions } from "./agent-sessions.tsx";
import { AgentVersions } from "./agent-versions.tsx";
import { DeleteAgentDialog } from "./delete-agent-dialog.tsx";

const PARENT = { to: "/agents", label: t("Agents") };

export function AgentShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: agent, error, refetch } = useRecord<Agent>("agents", id);
  if (error)
    return (
      <>
        <PageHeader title={t("Agent {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This agent could not be loaded")} onRetry={refetch} />
      </>
    );
  if (agent === undefined)
    return (
      <Box role="status" aria-label={t("Loading the agent")}>
        <Skeleton width={280} height={40} />
        <Skeleton variant="rounded" height={420} sx={{ mt: 2 }} />
      </Box>
    );
  return <LoadedAgent key={agent.id} agent={agent} />;
}

function LoadedAgent({ agent }: { agent: Agent }): ReactElement {
  const [deleting, setDeleting] = useState(false);
  const mayUpdate = useCan("agents.update");
  const mayDelete = useCan("agents.delete");
  const mayCreate = useCan("agents.create");
  const maySeeSessions = useCan("agent-sessions.read");
  const navigate = useNavigate();
  const nameOf = useTargetNames();
  const cloning = useAction(async () => {
    const { slug: _slug, ...body } = toBody({ ...toDraft(agent), name: `${agent.name} (copy)`, enabled: false });
    const { json } = await api("agents", { method: "POST", body });
    void navigate(`/agents/${(json as Agent).id}/show`); // cast: 201 carries the row
  });
  return (
    <>
      <PageHeader
        title={agent.name}
        parent={PARENT}
        badges={<EnabledChip enabled={agent.enabled} />}
        line={
          <>
            <span>{t("version {{version}}", { version: agent.version })}</span>
            <code>{agent.slug}</code>
            <code>{agent.model ?? "fast"}</code>
            {agent.runsWorkflowId === null ? null : (
              <Link component={RouterLink} to={workflowPath("agent-workflow", agent.runsWorkflowId)}>
                {agent.workflowId === null
                  ? t("its own loop")
                  : nameOf({ kind: "agent-workflow", workflowId: agent.workflowId })}
              </Link>
            )}
            <span>{tx("changed {{time}}", { time: <RelativeTime at={agent.updatedAt} /> })}</span>
            {agent.a2aExport ? (
              <span>{tx("A2A agent at {{address}}", { address: <code>{`/api/a2a/agents/${agent.slug}`}</code> })}</span>
            ) : null}
          </>
        }
        actions={
          <>
            {mayDelete ? (
              <Tooltip title={t("Delete")}>
                <IconButton aria-label={t("Delete {{name}}", { name: agent.name })} onClick={() => setDeleting(true)}>
                  <DeleteOutlineRounded />
                </IconButton>
              </Tooltip>
            ) : null}
            {mayCreate ? (
              <Tooltip title={t("Duplicate")}>
                <IconButton
                  aria-label={t("Duplicate {{name}}", { name: agent.name })}
                  disabled={cloning.busy}
                  onClick={() => void cloning.run()}
                >
                  <ContentCopyRounded />
                </IconButton>
              </Tooltip>
            ) : null}
            {mayUpdate ? (
              <Button variant="outlined" startIcon={<EditOutlined />} component={RouterLink} to={`/agents/${agent.id}`}>
                {t("Edit")}
              </Button>
            ) : null}
          </>
        }
      />
      {cloning.failure === null ? null : (
        <Box sx={{ mb: 2 }}>
          <ErrorPanel error={cloning.failure} title={t("The agent was not duplicated")} />
        </Box>
      )}
      {agent.description ? (
        <Box sx={{ mt: -1, mb: 2, maxWidth: 760, color: "text.secondary" }}>{agent.description}</Box>
      ) : null}
      {agent.notes.length === 0 ? null : (
        <Box sx={{ mb: 2 }}>
          <SchemaNotes notes={agent.notes} />
        </Box>
      )}
      <Panel flush>
        <TabBar
          label={t("About the agent")}
          tabs={[
            { id: "playground", label: t("Playground"), content: () => <AgentPlayground agent={agent} /> },
            ...(maySeeSessions
              ? [{ id: "sessions", label: t("Sessions"), content: () => <AgentSessions agent={agent} /> }]
              : []),
            { id: "versions", label: t("Versions"), content: () => <AgentVersions agent={agent} /> },
          ]}
        />
      </Panel>
      {deleting ? <DeleteAgentDialog agent={agent} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}
