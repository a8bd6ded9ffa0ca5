import AccountTreeOutlined from "@mui/icons-material/AccountTreeOutlined";
import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import type { RunStats } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import type { JointRow } from "@oven/ui/api/joint-list.ts";
import { formatMoney } from "@oven/ui/components/format.ts";
import { LookalikeMark } from "@oven/ui/components/lookalike-mark.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { useCanAny } from "@oven/ui/components/use-can.ts";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { useLookalikes } from "@oven/ui/components/use-lookalikes.ts";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { visuallyHidden } from "@oven/ui/components/visually-hidden.ts";
import { EnabledChip, McpChip } from "@oven/ui/components/workflow-chips.tsx";
import {
  AGENT_WORKFLOWS,
  REGULAR_WORKFLOWS,
  type WorkflowKind,
  workflowPath,
} from "@oven/ui/components/workflow-kind.ts";
import { GraphThumbnail } from "@oven/workflow-editor";
import { TagChips } from "@oven/workflow-editor/definition/tag-chips.tsx";
import { type ReactElement, useState } from "react";
import { DataTable, useListContext } from "react-admin";
import { Link } from "react-router-dom";
import { BulkActions } from "./bulk-actions.tsx";
import { LastRun } from "./last-run.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { STATS_DAYS, toSuccess, useRunStats } from "./use-run-stats.ts";

type WorkflowRow = JointRow<Workflow>;

const kindOfRow = ({ resource }: WorkflowRow): WorkflowKind =>
  resource === REGULAR_WORKFLOWS.resource ? REGULAR_WORKFLOWS : AGENT_WORKFLOWS;

/** The workflows of one page, of either kind. */
export function WorkflowRows(): ReactElement {
  const narrow = useIsNarrow();
  const { data, selectedIds = [], onToggleItem } = useListContext<WorkflowRow>();
  const nodeTypes = useNodeTypes();
  const can = useCanAny();
  const mayRun = ({ resource }: WorkflowKind): boolean => can([`${resource}.execute`]);
  const mayUpdate = ({ resource }: WorkflowKind): boolean => can([`${resource}.update`]);
  const mayUpdateSome = mayUpdate(AGENT_WORKFLOWS) || mayUpdate(REGULAR_WORKFLOWS);
  const [running, setRunning] = useState<WorkflowRow | null>(null);
  const ofAgents = useRunStats(AGENT_WORKFLOWS);
  const ofOthers = useRunStats(REGULAR_WORKFLOWS);
  const statsOf = (listed: WorkflowRow): RunStats | null | undefined =>
    (kindOfRow(listed) === AGENT_WORKFLOWS ? ofAgents : ofOthers)(listed.row.id);
  const alikeOfAgents = useLookalikes(AGENT_WORKFLOWS, data);
  const alikeOfOthers = useLookalikes(REGULAR_WORKFLOWS, data);
  const lookalikesOf = (listed: WorkflowRow) => (kindOfRow(listed) === AGENT_WORKFLOWS ? alikeOfAgents : alikeOfOthers);
  if (narrow) {
    return (
      <>
        {(data ?? []).map((listed) => (
          <RowCard
            key={listed.id}
            to={workflowPath(kindOfRow(listed).kind, listed.row.id)}
            title={
              <>
                {listed.row.name}
                <LookalikeMark name={listed.row.name} groups={lookalikesOf(listed)} />
              </>
            }
            aside={<EnabledChip enabled={listed.row.enabled} />}
          >
            <span>{t("version {{version}}", { version: listed.row.version })}</span>
            {listed.row.mcpExport ? <span>{t("offered over MCP")}</span> : null}
            {listed.row.tags.length === 0 ? null : <span>{listed.row.tags.join(", ")}</span>}
            <PhoneStats stats={statsOf(listed)} />
          </RowCard>
        ))}
      </>
    );
  }
  return (
    <>
      {mayUpdateSome ? <BulkActions /> : null}
      <DataTable<WorkflowRow>
        rowClick={(_id, _resource, listed) => workflowPath(kindOfRow(listed).kind, listed.row.id)}
        bulkActionButtons={false}
      >
        {mayUpdateSome ? (
          <DataTable.Col
            disableSort
            label={<span style={visuallyHidden}>{t("Chosen")}</span>}
            sx={{ width: 44, pr: 0 }}
            render={(listed: WorkflowRow) => (
              <Checkbox
                size="small"
                disabled={!mayUpdate(kindOfRow(listed))}
                checked={selectedIds.includes(listed.id)}
                slotProps={{ input: { "aria-label": t("Choose {{name}}", { name: listed.row.name }) } }}
                onClick={(event) => event.stopPropagation()}
                onChange={() => onToggleItem(listed.id)}
              />
            )}
          />
        ) : null}
        <DataTable.Col
          source="name"
          label={t("Name")}
          render={(listed: WorkflowRow) => (
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
                  definition={listed.row.definition}
                  nodeTypes={nodeTypes}
                  label={t("Graph of {{name}}", { name: listed.row.name })}
                />
              </Box>
              <Box sx={{ minWidth: 0 }}>
                <Box
                  component={Link}
                  to={workflowPath(kindOfRow(listed).kind, listed.row.id)}
                  onClick={(event: { stopPropagation: () => void }) => event.stopPropagation()}
                  sx={{
                    fontWeight: 600,
                    color: "text.primary",
                    textDecoration: "none",
                    "&:hover": { textDecoration: "underline" },
                  }}
                >
                  {listed.row.name}
                </Box>
                <LookalikeMark name={listed.row.name} groups={lookalikesOf(listed)} />
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
                  {listed.row.description ?? listed.row.slug}
                </Box>
                <TagChips kind={kindOfRow(listed)} tags={listed.row.tags} />
              </Box>
            </Box>
          )}
        />
        <DataTable.Col
          source="enabled"
          label={t("State")}
          render={(listed: WorkflowRow) => (
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
              <EnabledChip enabled={listed.row.enabled} />
              {listed.row.mcpExport ? <McpChip /> : null}
            </Box>
          )}
        />
        <DataTable.Col
          source="updatedAt"
          label={t("Changed")}
          render={(listed: WorkflowRow) => (
            <>
              <RelativeTime at={listed.row.updatedAt} />
              <Box sx={{ color: "text.secondary", fontSize: 12.5, whiteSpace: "nowrap" }}>
                {t("version {{version}}", { version: listed.row.version })}
              </Box>
            </>
          )}
        />
        <DataTable.Col
          disableSort
          label={t("Last run")}
          render={(listed: WorkflowRow) => <LastRun kind={kindOfRow(listed)} stats={statsOf(listed)} />}
        />
        <DataTable.Col
          disableSort
          label={t("{{STATS_DAYS}} days", { STATS_DAYS })}
          sx={{ textAlign: "right", whiteSpace: "nowrap" }}
          render={(listed: WorkflowRow) => <Totals stats={statsOf(listed)} />}
        />
        <DataTable.Col
          disableSort
          label={t("Actions")}
          sx={{ textAlign: "right" }}
          render={(listed: WorkflowRow) => (
            <Box sx={{ display: "flex", gap: 1, justifyContent: "flex-end" }}>
              {mayUpdate(kindOfRow(listed)) ? (
                <Tooltip title={t("Open editor")}>
                  <IconButton
                    size="small"
                    component={Link}
                    to={`/${listed.resource}/${listed.row.id}/editor`}
                    aria-label={t("Open {{name}} in the editor", { name: listed.row.name })}
                    onClick={(event: { stopPropagation: () => void }) => event.stopPropagation()}
                  >
                    <AccountTreeOutlined sx={{ fontSize: 20 }} />
                  </IconButton>
                </Tooltip>
              ) : null}
              {mayRun(kindOfRow(listed)) ? (
                <Button
                  size="small"
                  variant="outlined"
                  startIcon={<PlayArrowRounded />}
                  disabled={!listed.row.enabled}
                  aria-label={t("Run {{name}}", { name: listed.row.name })}
                  onClick={(event) => {
                    event.stopPropagation();
                    setRunning(listed);
                  }}
                >
                  {t("Run")}
                </Button>
              ) : null}
            </Box>
          )}
        />
      </DataTable>
      {running === null ? null : (
        <RunDialog kind={kindOfRow(running)} workflow={running.row} onClose={() => setRunning(null)} />
      )}
    </>
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
