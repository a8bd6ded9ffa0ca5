import ApiOutlined from "@mui/icons-material/ApiOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { ApiConnection } from "@oven/contract/api";
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
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { ConnectService } from "../catalogue/connect-service.tsx";
import { STATUS_LOOK, toOperationWords } from "./connection-words.ts";

const STATES = [
  { label: t("On"), value: true },
  { label: t("Off"), value: false },
];

/** The APIs whose operations steps and agents may call. */
export function ApiConnectionList(): ReactElement {
  const navigate = useNavigate();
  const create = useCreateButton(t("Connect an API"), useCan("api-connections.create"), (close) => (
    <ConnectService
      onClose={(saved, proposed) => {
        close(false);
        if (saved !== null) navigate(`/api-connections/${saved.id}/show`, { state: { proposed } });
      }}
    />
  ));
  return (
    <ListBase resource="api-connections" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Connected APIs")}
        line={t("Services whose operations your steps and agents may call, once they have been approved.")}
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
            icon={<ApiOutlined />}
            title={t("No API is connected")}
            text={t(
              "Give the address of an OpenAPI document, a GraphQL API or a curl command, and approve the operations that your workflows may call.",
            )}
            action={create.button}
          />
        }
      >
        <ConnectionRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function ConnectionRows(): ReactElement {
  const { data } = useListContext<ApiConnection>();
  return (
    <RowList label={t("Connected APIs")}>
      {(data ?? []).map((connection) => (
        <RowItem key={connection.id}>
          <RowPart basis={220} grow={2}>
            <Link
              component={RouterLink}
              to={`/api-connections/${connection.id}/show`}
              color="text.primary"
              sx={{ fontWeight: 600 }}
            >
              {connection.title ?? connection.name}
            </Link>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
              {connection.serverUrl}
            </Box>
          </RowPart>
          <RowPart basis={200} grow={1}>
            {toOperationWords(connection.operations)}
          </RowPart>
          <RowPart basis={150} quiet>
            {tx("read {{time}}", { time: <RelativeTime at={connection.readAt} /> })}
          </RowPart>
          {connection.operations.changed === 0 ? null : (
            <ToneChip tone="paused" word={t("{{count}} changed", { count: connection.operations.changed })} />
          )}
          <ToneChip {...STATUS_LOOK[connection.status]} />
        </RowItem>
      ))}
    </RowList>
  );
}
