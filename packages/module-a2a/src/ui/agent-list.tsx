import SmartToyOutlined from "@mui/icons-material/SmartToyOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { t, tx } from "@oven/i18n";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import type { A2aConnection } from "../shapes.ts";
import { AgentDialog } from "./agent-dialog.tsx";
import { STATE_LOOK } from "./agent-words.ts";

/** The outside agents that workflows and agents may ask. */
export function A2aConnectionList(): ReactElement {
  const navigate = useNavigate();
  const create = useCreateButton(t("Connect an agent"), useCan("a2a-connections.create"), (close) => (
    <AgentDialog
      connection={null}
      onClose={(saved) => {
        close(false);
        if (saved !== null) navigate(`/a2a-connections/${saved.id}/show`);
      }}
    />
  ));
  return (
    <ListBase resource="a2a-connections" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Connected agents (A2A)")}
        line={t("Outside agents that your workflows and agents may ask, once somebody has approved them.")}
        actions={create.button}
      />
      <ListBody
        noun={t("agents")}
        filters={<SearchField label={t("Search agents")} />}
        empty={
          <EmptyState
            icon={<SmartToyOutlined />}
            title={t("No agent is connected")}
            text={t("Connect an agent that speaks A2A, look at its card, and approve it.")}
            action={create.button}
          />
        }
      >
        <AgentRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function AgentRows(): ReactElement {
  const { data } = useListContext<A2aConnection>();
  return (
    <RowList label={t("Connected agents (A2A)")}>
      {(data ?? []).map(({ id, name, title, url, state, card, lastContactAt }) => (
        <RowItem key={id}>
          <RowPart basis={220} grow={2}>
            <Link
              component={RouterLink}
              to={`/a2a-connections/${id}/show`}
              color="text.primary"
              sx={{ fontWeight: 600 }}
            >
              {title ?? card?.name ?? name}
            </Link>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
              {url}
            </Box>
          </RowPart>
          <RowPart basis={140} quiet>
            {lastContactAt === null
              ? t("never reached")
              : tx("reached {{time}}", { time: <RelativeTime at={lastContactAt} /> })}
          </RowPart>
          <ToneChip {...STATE_LOOK[state]} />
        </RowItem>
      ))}
    </RowList>
  );
}
