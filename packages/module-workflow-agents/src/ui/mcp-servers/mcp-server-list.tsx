import CableOutlined from "@mui/icons-material/CableOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { McpServer } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { DataTable, ListBase, useListContext } from "react-admin";
import { Link } from "react-router-dom";

export function ServerStatus({ status }: { status: McpServer["status"] }): ReactElement {
  return status === "active" ? (
    <ToneChip tone="completed" word={t("active")} />
  ) : (
    <ToneChip tone="cancelled" word={t("disabled")} />
  );
}

export function McpServerList(): ReactElement {
  return (
    <ListBase resource="mcp-servers" sort={{ field: "id", order: "ASC" }} perPage={25}>
      <PageHeader title={t("MCP Servers")} line={t("Workflows that other AI systems can call as tools.")} />
      <ListBody
        noun={t("MCP servers")}
        filters={<SearchField label={t("Search MCP servers")} />}
        empty={
          <EmptyState
            icon={<CableOutlined />}
            title={t("No workflow is offered over MCP")}
            text={t(
              "Edit a workflow and switch on “Offer as a tool over MCP”. Its server appears here, with snippets to paste into a client.",
            )}
            action={
              <Button variant="contained" component={Link} to="/agent-workflows">
                {t("Choose a workflow")}
              </Button>
            }
          />
        }
      >
        <ServerRows />
      </ListBody>
    </ListBase>
  );
}

function ServerRows(): ReactElement {
  const narrow = useIsNarrow();
  const { data } = useListContext<McpServer>();
  if (narrow) {
    return (
      <>
        {(data ?? []).map((server) => (
          <RowCard
            key={server.id}
            to={`/mcp-servers/${server.id}/show`}
            title={server.name}
            aside={<ServerStatus status={server.status} />}
          >
            <span>{t("{{count}} tools", { count: server.toolDefinitions.length })}</span>
            <RelativeTime at={server.lastGeneratedAt} />
          </RowCard>
        ))}
      </>
    );
  }
  return (
    <DataTable<McpServer> rowClick="show" bulkActionButtons={false}>
      <DataTable.Col
        source="name"
        label={t("Name")}
        render={(server: McpServer) => (
          <Box
            component={Link}
            to={`/mcp-servers/${server.id}/show`}
            onClick={(event: { stopPropagation: () => void }) => event.stopPropagation()}
            sx={{
              fontWeight: 600,
              color: "text.primary",
              textDecoration: "none",
              "&:hover": { textDecoration: "underline" },
            }}
          >
            {server.name}
          </Box>
        )}
      />
      <DataTable.Col
        disableSort
        label={t("Address")}
        render={(server: McpServer) => (
          <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, fontFamily: MONOSPACE, fontSize: 12.5 }}>
            {server.url}
            <CopyButton text={server.url} what={t("the address")} small />
          </Box>
        )}
      />
      <DataTable.Col
        disableSort
        sx={{ textAlign: "right" }}
        label={t("Tools")}
        render={(server: McpServer) => server.toolDefinitions.length}
      />
      <DataTable.Col
        disableSort
        label={t("Status")}
        render={(server: McpServer) => <ServerStatus status={server.status} />}
      />
      <DataTable.Col
        disableSort
        label={t("Generated")}
        render={(server: McpServer) => <RelativeTime at={server.lastGeneratedAt} />}
      />
    </DataTable>
  );
}
