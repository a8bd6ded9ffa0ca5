import HubOutlined from "@mui/icons-material/HubOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { ProposedMcpServerSchema } from "@oven/contract/api";
import type { McpConnection } from "@oven/contract/mcp";
import { t, tx } from "@oven/i18n";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink, useLocation, useNavigate } from "react-router-dom";
import { ConnectionDialog } from "./connection-dialog.tsx";
import { STATUS_LOOK, toToolWords } from "./connection-words.ts";

const STATES = [
  { label: t("On"), value: true },
  { label: t("Off"), value: false },
];

/** The outside servers whose tools agents may use. */
export function McpConnectionList(): ReactElement {
  const navigate = useNavigate();
  const mayCreate = useCan("mcp-connections.create");
  const create = useCreateButton(t("Connect a server"), mayCreate, (close) => (
    <ConnectionDialog
      connection={null}
      onClose={(saved) => {
        close(false);
        if (saved !== null) navigate(`/mcp-connections/${saved.id}/show`);
      }}
    />
  ));
  return (
    <ListBase resource="mcp-connections" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Connected MCP servers")}
        line={t("Outside servers whose tools your agents may use, once somebody has approved them.")}
        actions={create.button}
      />
      <ListBody
        noun={t("connections")}
        filters={
          <>
            <SearchField label={t("Search connections")} />
            <FilterChips field="enabled" label={t("State")} choices={STATES} />
          </>
        }
        empty={
          <EmptyState
            icon={<HubOutlined />}
            title={t("No server is connected")}
            text={t("Connect an MCP server, look at its tools, and approve the ones that your agents may use.")}
            action={create.button}
          />
        }
      >
        <ConnectionRows />
      </ListBody>
      {create.dialog}
      {mayCreate ? <ProposedServer /> : null}
    </ListBase>
  );
}

/** Opens the dialog for a server that another page of the dashboard proposes; the browser's history has it, addresses do not. */
function ProposedServer(): ReactElement | null {
  const navigate = useNavigate();
  const { success, data } = ProposedMcpServerSchema.safeParse(useLocation().state?.proposed);
  if (!success) return null;
  return (
    <ConnectionDialog
      connection={null}
      proposed={data}
      onClose={(saved) =>
        navigate(saved === null ? "/mcp-connections" : `/mcp-connections/${saved.id}/show`, { replace: true })
      }
    />
  );
}

function ConnectionRows(): ReactElement {
  const { data } = useListContext<McpConnection>();
  return (
    <RowList label={t("Connected MCP servers")}>
      {(data ?? []).map((connection) => (
        <RowItem key={connection.id}>
          <RowPart basis={220} grow={2}>
            <Link
              component={RouterLink}
              to={`/mcp-connections/${connection.id}/show`}
              color="text.primary"
              sx={{ fontWeight: 600 }}
            >
              {connection.title ?? connection.name}
            </Link>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
              {connection.url ?? t("started by the operator")}
            </Box>
          </RowPart>
          <RowPart basis={180} grow={1}>
            {toToolWords(connection.tools)}
          </RowPart>
          <RowPart basis={140} quiet>
            {connection.lastContactAt === null
              ? t("never reached")
              : tx("reached {{time}}", { time: <RelativeTime at={connection.lastContactAt} /> })}
          </RowPart>
          {connection.tools.changed === 0 ? null : (
            <ToneChip tone="paused" word={t("{{count}} changed", { count: connection.tools.changed })} />
          )}
          <ToneChip {...STATUS_LOOK[connection.status]} />
        </RowItem>
      ))}
    </RowList>
  );
}
