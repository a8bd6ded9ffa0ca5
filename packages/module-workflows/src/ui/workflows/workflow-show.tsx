import AccountTreeOutlined from "@mui/icons-material/AccountTreeOutlined";
import ContentCopyRounded from "@mui/icons-material/ContentCopyRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import FileDownloadOutlined from "@mui/icons-material/FileDownloadOutlined";
import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Tooltip from "@mui/material/Tooltip";
import type { Workflow } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { download } from "@oven/ui/components/download.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { EnabledChip, McpChip } from "@oven/ui/components/workflow-chips.tsx";
import { type WorkflowKind, workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { TagChips } from "@oven/workflow-editor/definition/tag-chips.tsx";
import { withTags } from "@oven/workflow-editor/definition/with-tags.ts";
import { LazyWorkflowGraph } from "@oven/workflow-editor/lazy-workflow-graph";
import { type ReactElement, useState } from "react";
import { Link as RouterLink, useNavigate, useParams } from "react-router-dom";
import { HoldButton } from "../holds/hold-button.tsx";
import { HoldNotices } from "../holds/hold-notice.tsx";
import { useHolds } from "../holds/use-holds.ts";
import { WorkflowScores } from "../scores/workflow-scores.tsx";
import { DeleteWorkflowDialog } from "./delete-workflow-dialog.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { StateInspector } from "./state-inspector.tsx";
import { TagsDialog } from "./tags-dialog.tsx";
import { VersionList } from "./version-list.tsx";
import { WorkflowConfig } from "./workflow-config.tsx";
import { WorkflowRuns } from "./workflow-runs.tsx";

export function WorkflowShow({ kind }: { kind: WorkflowKind }): ReactElement {
  const { id = "" } = useParams();
  const { data: workflow, error, refetch } = useRecord<Workflow>(kind.resource, id);
  if (error) {
    return (
      <>
        <PageHeader title={t("Workflow {{id}}", { id })} parent={toParent(kind)} />
        <ErrorPanel error={error} title={t("This workflow could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (workflow === undefined) {
    return (
      <Box role="status" aria-label={t("Loading the workflow")}>
        <Skeleton width={280} height={40} />
        <Skeleton variant="rounded" height={420} sx={{ mt: 2 }} />
      </Box>
    );
  }
  return <LoadedWorkflow key={workflow.id} kind={kind} workflow={workflow} />;
}

function toParent({ resource, title }: WorkflowKind): { to: string; label: string } {
  return { to: `/${resource}`, label: title };
}

function LoadedWorkflow({ kind, workflow }: { kind: WorkflowKind; workflow: Workflow }): ReactElement {
  const [dialog, setDialog] = useState<"run" | "delete" | "tags" | null>(null);
  const mayRun = useCan(`${kind.resource}.execute`);
  const mayUpdate = useCan(`${kind.resource}.update`);
  const mayDelete = useCan(`${kind.resource}.delete`);
  const mayCreate = useCan(`${kind.resource}.create`);
  const maySeeScores = useCan("scores.read");
  const navigate = useNavigate();
  const about = { kind: kind.kind, id: workflow.id };
  const { holds, refetch: lookAgain } = useHolds({ workflow: about });
  const duplicating = useAction(async () => {
    const { name, description, definition, tags } = workflow;
    const body = { name: `${name} (copy)`, description, definition, tags, enabled: false };
    const reply = await api(kind.resource, { method: "POST", body });
    // cast: 201 carries the row
    void navigate(workflowPath(kind.kind, (reply.json as Pick<Workflow, "id">).id));
  });
  const exporting = useAction(async () => {
    const { json } = await api(`${kind.resource}/${workflow.id}/promotion`);
    download(`${workflow.slug}.promotion.json`, "application/json", `${JSON.stringify(json, null, 2)}\n`);
  });
  const text = JSON.stringify(withTags(workflow.definition, workflow.tags), null, 2);
  return (
    <>
      <PageHeader
        title={workflow.name}
        parent={toParent(kind)}
        badges={
          <>
            <EnabledChip enabled={workflow.enabled} />
            {kind.mcp && workflow.mcpExport ? <McpChip /> : null}
          </>
        }
        line={
          <>
            <span>{t("version {{version}}", { version: workflow.version })}</span>
            <code>{workflow.slug}</code>
            <span>{tx("changed {{time}}", { time: <RelativeTime at={workflow.updatedAt} /> })}</span>
            {kind.mcp && workflow.mcpExport ? (
              <Link component={RouterLink} to="/mcp-servers">
                {t("MCP server")}
              </Link>
            ) : null}
            <TagChips kind={kind} tags={workflow.tags} />
            {mayUpdate ? (
              <Link component="button" type="button" onClick={() => setDialog("tags")} sx={{ fontSize: 13 }}>
                {workflow.tags.length === 0 ? t("Add tags") : t("Change tags")}
              </Link>
            ) : null}
          </>
        }
        actions={
          <>
            {holds.some((hold) => hold.workflow !== null) ? null : (
              <HoldButton
                about={{ workflow: about }}
                label={t("Hold")}
                title={t("Hold the runs of {{name}}?", { name: workflow.name })}
                onDone={lookAgain}
              />
            )}
            {mayDelete ? (
              <Tooltip title={t("Delete")}>
                <IconButton
                  aria-label={t("Delete {{name}}", { name: workflow.name })}
                  onClick={() => setDialog("delete")}
                >
                  <DeleteOutlineRounded />
                </IconButton>
              </Tooltip>
            ) : null}
            <Tooltip title={t("Export for another installation")}>
              <IconButton
                aria-label={t("Export {{name}} for another installation", { name: workflow.name })}
                disabled={exporting.busy}
                onClick={() => void exporting.run()}
              >
                <FileDownloadOutlined />
              </IconButton>
            </Tooltip>
            {mayCreate ? (
              <Tooltip title={t("Duplicate")}>
                <IconButton
                  aria-label={t("Duplicate {{name}}", { name: workflow.name })}
                  disabled={duplicating.busy}
                  onClick={() => void duplicating.run()}
                >
                  <ContentCopyRounded />
                </IconButton>
              </Tooltip>
            ) : null}
            {mayUpdate ? (
              <Button
                variant="outlined"
                startIcon={<AccountTreeOutlined />}
                component={RouterLink}
                to={`/${kind.resource}/${workflow.id}/editor`}
              >
                {t("Open editor")}
              </Button>
            ) : null}
            {mayUpdate ? (
              <Button
                variant="outlined"
                startIcon={<EditOutlined />}
                component={RouterLink}
                to={`/${kind.resource}/${workflow.id}`}
              >
                {t("Edit")}
              </Button>
            ) : null}
            {mayRun ? (
              <Button
                variant="contained"
                startIcon={<PlayArrowRounded />}
                onClick={() => setDialog("run")}
                disabled={!workflow.enabled}
              >
                {t("Run")}
              </Button>
            ) : null}
          </>
        }
      />
      <HoldNotices holds={holds} onChange={lookAgain} />
      {exporting.failure === null ? null : (
        <Box sx={{ mb: 2 }}>
          <ErrorPanel error={exporting.failure} title={t("It was not exported")} />
        </Box>
      )}
      {duplicating.failure === null ? null : (
        <Box sx={{ mb: 2 }}>
          <ErrorPanel error={duplicating.failure} title={t("The workflow was not duplicated")} />
        </Box>
      )}
      {workflow.description ? (
        <Box sx={{ mt: -1, mb: 2.5, maxWidth: 760, color: "text.secondary" }}>{workflow.description}</Box>
      ) : null}
      <GraphPanel workflow={workflow} />
      <Panel flush sx={{ mt: 2 }}>
        <TabBar
          label={t("About the workflow")}
          tabs={[
            { id: "runs", label: t("Runs"), content: () => <WorkflowRuns kind={kind} workflowId={workflow.id} /> },
            ...(maySeeScores
              ? [
                  {
                    id: "scores",
                    label: t("Scores"),
                    content: () => <WorkflowScores kind={kind} workflow={workflow} />,
                  },
                ]
              : []),
            { id: "versions", label: t("Versions"), content: () => <VersionList kind={kind} workflow={workflow} /> },
            {
              id: "config",
              label: t("Configuration"),
              content: () => <WorkflowConfig kind={kind} workflow={workflow} />,
            },
            {
              id: "definition",
              label: t("Definition"),
              content: () => <CodeBlock text={text} what={t("the definition")} />,
            },
          ]}
        />
      </Panel>
      {dialog === "run" ? <RunDialog kind={kind} workflow={workflow} onClose={() => setDialog(null)} /> : null}
      {dialog === "tags" ? (
        <TagsDialog chosen={[{ kind, workflows: [workflow] }]} onClose={() => setDialog(null)} />
      ) : null}
      <DeleteWorkflowDialog
        kind={kind}
        workflow={workflow}
        open={dialog === "delete"}
        onClose={() => setDialog(null)}
      />
    </>
  );
}

function GraphPanel({ workflow }: { workflow: Workflow }): ReactElement {
  const nodeTypes = useNodeTypes();
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <Panel flush>
      <Box sx={{ display: { xs: "block", md: "flex" } }}>
        <Box sx={{ flex: 1, minWidth: 0, height: { xs: 300, md: 420 } }}>
          <LazyWorkflowGraph
            definition={workflow.definition}
            nodeTypes={nodeTypes}
            selected={selected}
            onSelect={setSelected}
            label={t("Graph of {{name}}", { name: workflow.name })}
          />
        </Box>
        {selected === null ? null : (
          <Box
            sx={{
              width: { md: 360 },
              flex: "none",
              maxHeight: { md: 420 },
              overflowY: "auto",
              borderLeft: { md: 1 },
              borderTop: { xs: 1, md: 0 },
              borderColor: { xs: "divider", md: "divider" },
            }}
          >
            <StateInspector
              definition={workflow.definition}
              nodeTypes={nodeTypes}
              stateId={selected}
              onClose={() => setSelected(null)}
            />
          </Box>
        )}
      </Box>
    </Panel>
  );
}
