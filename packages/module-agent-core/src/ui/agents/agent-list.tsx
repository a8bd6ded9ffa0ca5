import AddRounded from "@mui/icons-material/AddRounded";
import SmartToyOutlined from "@mui/icons-material/SmartToyOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { Agent, AgentStats } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useTargetNames } from "@oven/ui/components/use-target-names.ts";
import { EnabledChip } from "@oven/ui/components/workflow-chips.tsx";
import { workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink } from "react-router-dom";

const STATES = [
  { label: t("Enabled"), value: true },
  { label: t("Disabled"), value: false },
];

/** Everybody one can build and talk to. */
export function AgentList(): ReactElement {
  const mayCreate = useCan("agents.create");
  const create = mayCreate ? (
    <Button variant="contained" startIcon={<AddRounded />} component={RouterLink} to="/agents/create">
      {t("New agent")}
    </Button>
  ) : null;
  return (
    <ListBase resource="agents" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Agents")}
        line={t("A model with instructions, tools and a memory of what was said. Talking to one is a run.")}
        actions={create}
      />
      <ListBody
        noun={t("agents")}
        filters={
          <>
            <SearchField label={t("Search agents")} />
            <FilterChips field="enabled" label={t("State")} choices={STATES} />
          </>
        }
        empty={
          <EmptyState
            icon={<SmartToyOutlined />}
            title={t("There is no agent yet")}
            text={t("Give a model instructions and the tools it may call, and try it out in its playground.")}
            action={create}
          />
        }
      >
        <AgentRows />
      </ListBody>
    </ListBase>
  );
}

function AgentRows(): ReactElement {
  const { data } = useListContext<Agent>();
  const nameOf = useTargetNames();
  const { data: stats } = useAnswer<AgentStats[]>("agent-stats");
  return (
    <RowList label={t("Agents")}>
      {(data ?? []).map((agent) => {
        const used = stats?.find(({ agentId }) => agentId === agent.id);
        return (
          <RowItem key={agent.id}>
            <RowPart basis={220} grow={2}>
              <Link
                component={RouterLink}
                to={`/agents/${agent.id}/show`}
                color="text.primary"
                sx={{ fontWeight: 600 }}
              >
                {agent.name}
              </Link>
              <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
                {agent.slug}
              </Box>
            </RowPart>
            <RowPart basis={160} grow={1} quiet>
              <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5 }}>{agent.model ?? t("fast")}</Box>
              {toToolLine(agent.toolBindings)}
            </RowPart>
            <RowPart basis={130} grow={1} quiet>
              {agent.workflowId === null ? (
                t("its own loop")
              ) : (
                <Link component={RouterLink} to={workflowPath("agent-workflow", agent.workflowId)}>
                  {nameOf({ kind: "agent-workflow", workflowId: agent.workflowId })}
                </Link>
              )}
            </RowPart>
            <RowPart basis={150} quiet>
              {used === undefined ? (
                t("never used")
              ) : (
                <>
                  {used.sessions === 1 ? t("1 session") : t("{{sessions}} sessions", { sessions: used.sessions })},{" "}
                  <RelativeTime at={used.lastUsedAt} />
                </>
              )}
            </RowPart>
            <EnabledChip enabled={agent.enabled} />
          </RowItem>
        );
      })}
    </RowList>
  );
}

function toToolLine(bindings: readonly string[]): string {
  if (bindings.length === 0) return t("no tools");
  const shown = bindings.slice(0, 3).join(", ");
  return bindings.length > 3 ? t("{{shown}} and {{more}} more", { shown, more: bindings.length - 3 }) : shown;
}
