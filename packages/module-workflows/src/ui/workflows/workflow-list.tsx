import AccountTreeOutlined from "@mui/icons-material/AccountTreeOutlined";
import AddRounded from "@mui/icons-material/AddRounded";
import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import UploadFileRounded from "@mui/icons-material/UploadFileRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import type { RunStats } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { formatMoney } from "@oven/ui/components/format.ts";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { visuallyHidden } from "@oven/ui/components/visually-hidden.ts";
import { EnabledChip, McpChip } from "@oven/ui/components/workflow-chips.tsx";
import { type WorkflowKind, workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { GraphThumbnail } from "@oven/workflow-editor";
import { TagChips } from "@oven/workflow-editor/definition/tag-chips.tsx";
import { type ReactElement, useState } from "react";
import { DataTable, ListBase, useListContext } from "react-admin";
import { Link } from "react-router-dom";
import { BulkActions } from "./bulk-actions.tsx";
import { LastRun } from "./last-run.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { TagField } from "./tag-field.tsx";
import { STATS_DAYS, toSuccess, useRunStats } from "./use-run-stats.ts";
import { useTags } from "./use-tags.ts";

export function WorkflowList({ kind }: { kind: WorkflowKind }): ReactElement {
  const { resource, title, line } = kind;
  const mayCreate = useCan(`${resource}.create`);
  const create = mayCreate ? (
    <>
      <Button variant="outlined" component={Link} to={`/${resource}/create`}>
        {t("From a template or file")}
      </Button>
      <Button variant="contained" startIcon={<AddRounded />} component={Link} to={`/${resource}/new`}>
        {t("New workflow")}
      </Button>
    </>
  ) : null;
  const mayImport = useCan("promotions.create");
  const actions = (
    <>
      {mayImport ? (
        <Button
          variant="outlined"
          startIcon={<UploadFileRounded />}
          component={Link}
          to={`/${resource}/import`}
          aria-label={t("Import from another installation")}
        >
          {t("Import")}
        </Button>
      ) : null}
      {create}
    </>
  );
  return (
    <ListBase resource={resource} sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader title={title} line={line} actions={actions} />
      <ListBody
        noun={t("workflows")}
        filters={
          <>
            <SearchField label={t("Search workflows")} />
            <FilterChips
              field="enabled"
              label={t("State")}
              choices={[
                { label: t("Enabled"), value: true },
                { label: t("Disabled"), value: false },
              ]}
            />
            {kind.mcp ? (
              <FilterChips field="mcpExport" label="MCP" choices={[{ label: t("Offered over MCP"), value: true }]} />
            ) : null}
            <TagFilter kind={kind} />
          </>
        }
        empty={
          <EmptyState
            icon={<AccountTreeOutlined />}
            title={t("No {{kind}} yet", { kind: title.toLowerCase() })}
            text={t(
              "Write one as JSON: states, what each of them calls, and where it goes on. The graph is drawn while you type.",
            )}
            action={create}
          />
        }
      >
        <WorkflowRows kind={kind} />
      </ListBody>
    </ListBase>
  );
}

function WorkflowRows({ kind }: { kind: WorkflowKind }): ReactElement {
  const narrow = useIsNarrow();
  const { data, selectedIds = [], onToggleItem } = useListContext<Workflow>();
  const nodeTypes = useNodeTypes();
  const mayRun = useCan(`${kind.resource}.execute`);
  const mayUpdate = useCan(`${kind.resource}.update`);
  const [running, setRunning] = useState<Workflow | null>(null);
  const statsOf = useRunStats(kind);
  if (narrow) {
    return (
      <>
        {(data ?? []).map((workflow) => (
          <RowCard
            key={workflow.id}
            to={workflowPath(kind.kind, workflow.id)}
            title={workflow.name}
            aside={<EnabledChip enabled={workflow.enabled} />}
          >
            <span>{t("version {{version}}", { version: workflow.version })}</span>
            {workflow.mcpExport ? <span>{t("offered over MCP")}</span> : null}
            {workflow.tags.length === 0 ? null : <span>{workflow.tags.join(", ")}</span>}
            <PhoneStats stats={statsOf(workflow.id)} />
          </RowCard>
        ))}
      </>
    );
  }
  return (
    <>
      {mayUpdate ? <BulkActions kind={kind} /> : null}
      <DataTable<Workflow> rowClick="show" bulkActionButtons={false}>
        {mayUpdate ? (
          <DataTable.Col
            disableSort
            label={<span style={visuallyHidden}>{t("Chosen")}</span>}
            sx={{ width: 44, pr: 0 }}
            render={(workflow: Workflow) => (
              <Checkbox
                size="small"
                checked={selectedIds.includes(workflow.id)}
                slotProps={{ input: { "aria-label": t("Choose {{name}}", { name: workflow.name }) } }}
                onClick={(event) => event.stopPropagation()}
                onChange={() => onToggleItem(workflow.id)}
              />
            )}
          />
        ) : null}
        <DataTable.Col
          source="name"
          label={t("Name")}
          render={(workflow: Workflow) => (
            <Box sx={{ display: "flex", alignItems: "center", gap: 1.75 }}>
              <Box
                aria-hidden
                sx={{
                  flex: "none",
                  display: { md: "none", lg: "block" },
                  width: { lg: 88, xl: 132 },
                  height: 46,
                  borderRadius: 1.5,
                  bgcolor: "var(--oven-canvas)",
                  border: 1,
                  borderColor: "divider",
                  p: 0.25,
                }}
              >
                <GraphThumbnail
                  definition={workflow.definition}
                  nodeTypes={nodeTypes}
                  label={t("Graph of {{name}}", { name: workflow.name })}
                />
              </Box>
              <Box sx={{ minWidth: 0 }}>
                <Box
                  component={Link}
                  to={workflowPath(kind.kind, workflow.id)}
                  onClick={(event: { stopPropagation: () => void }) => event.stopPropagation()}
                  sx={{
                    fontWeight: 600,
                    color: "text.primary",
                    textDecoration: "none",
                    "&:hover": { textDecoration: "underline" },
                  }}
                >
                  {workflow.name}
                </Box>
                <Box
                  sx={{
                    color: "text.secondary",
                    fontSize: 12.5,
                    maxWidth: { md: 200, lg: 170, xl: 480 },
                    overflow: "hidden",
                    textOverflow: "ellipsis",
                    whiteSpace: "nowrap",
                  }}
                >
                  {workflow.description ?? workflow.slug}
                </Box>
                <TagChips kind={kind} tags={workflow.tags} />
              </Box>
            </Box>
          )}
        />
        <DataTable.Col
          source="enabled"
          label={t("State")}
          render={(workflow: Workflow) => (
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
              <EnabledChip enabled={workflow.enabled} />
              {workflow.mcpExport ? <McpChip /> : null}
            </Box>
          )}
        />
        <DataTable.Col
          source="updatedAt"
          label={t("Changed")}
          render={(workflow: Workflow) => (
            <>
              <RelativeTime at={workflow.updatedAt} />
              <Box sx={{ color: "text.secondary", fontSize: 12.5, whiteSpace: "nowrap" }}>
                {t("version {{version}}", { version: workflow.version })}
              </Box>
            </>
          )}
        />
        <DataTable.Col
          disableSort
          label={t("Last run")}
          render={(workflow: Workflow) => <LastRun kind={kind} stats={statsOf(workflow.id)} />}
        />
        <DataTable.Col
          disableSort
          label={t("{{STATS_DAYS}} days", { STATS_DAYS })}
          sx={{ textAlign: "right", whiteSpace: "nowrap" }}
          render={(workflow: Workflow) => <Totals stats={statsOf(workflow.id)} />}
        />
        <DataTable.Col
          disableSort
          label={t("Actions")}
          sx={{ textAlign: "right" }}
          render={(workflow: Workflow) => (
            <Box sx={{ display: "flex", gap: 1, justifyContent: "flex-end" }}>
              {mayUpdate ? (
                <Tooltip title={t("Open editor")}>
                  <IconButton
                    size="small"
                    component={Link}
                    to={`/${kind.resource}/${workflow.id}/editor`}
                    aria-label={t("Open {{name}} in the editor", { name: workflow.name })}
                    onClick={(event: { stopPropagation: () => void }) => event.stopPropagation()}
                  >
                    <AccountTreeOutlined sx={{ fontSize: 20 }} />
                  </IconButton>
                </Tooltip>
              ) : null}
              {mayRun ? (
                <Button
                  size="small"
                  variant="outlined"
                  startIcon={<PlayArrowRounded />}
                  disabled={!workflow.enabled}
                  aria-label={t("Run {{name}}", { name: workflow.name })}
                  onClick={(event) => {
                    event.stopPropagation();
                    setRunning(workflow);
                  }}
                >
                  {t("Run")}
                </Button>
              ) : null}
            </Box>
          )}
        />
      </DataTable>
      {running === null ? null : <RunDialog kind={kind} workflow={running} onClose={() => setRunning(null)} />}
    </>
  );
}

/** Those that carry all of the chosen tags; nothing while there are none. */
function TagFilter({ kind }: { kind: WorkflowKind }): ReactElement | null {
  const { data, filterValues, setFilters } = useListContext<Workflow>();
  const known = useTags(kind, data).map(({ tag }) => tag);
  const chosen: string[] = [filterValues.tags ?? []].flat();
  if (known.length === 0 && chosen.length === 0) return null;
  const { tags: _, ...others } = filterValues;
  return (
    <TagField
      small
      closed
      label={t("Tags")}
      value={chosen}
      known={known}
      onChange={(tags) => setFilters(tags.length === 0 ? others : { ...others, tags })}
    />
  );
}

/** How often it went well, and what it cost. */
function Totals({ stats }: { stats: RunStats | null | undefined }): ReactElement {
  if (!stats) return <span>–</span>;
  return (
    <Box sx={{ whiteSpace: "nowrap" }}>
      <span title={t("Of the runs that have ended")}>{toSuccess(stats) ?? "–"}</span>
      <Box sx={{ color: "text.secondary", fontSize: 12.5 }}>{formatMoney(stats.costMicros)}</Box>
    </Box>
  );
}

/** On a phone: when it ran last, and how often that went well. */
function PhoneStats({ stats }: { stats: RunStats | null | undefined }): ReactElement {
  if (!stats) return <span>{stats === null ? t("no run in {{STATS_DAYS}} days", { STATS_DAYS }) : "…"}</span>;
  const success = toSuccess(stats);
  return (
    <>
      <span>{tx("ran {{time}}", { time: <RelativeTime at={stats.last.at} /> })}</span>
      {success === null ? null : <span>{t("{{share}} went well", { share: success })}</span>}
    </>
  );
}
