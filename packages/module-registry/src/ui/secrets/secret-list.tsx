import LockOutlined from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import type { Secret } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { DeleteButton, EditButton, useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { SecretDialog } from "./secret-dialog.tsx";

/** What outbound calls carry: names, hosts and use, never values. */
export function SecretList(): ReactElement {
  const create = useCreateButton(t("New secret"), true, (close) => <SecretDialog secret={null} onClose={close} />);
  return (
    <ListBase resource="secrets" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Secrets")}
        line={t("Keys and tokens that calls carry to other systems. A value can be replaced, never read.")}
        actions={create.button}
      />
      <ListBody
        noun={t("secrets")}
        filters={<SearchField label={t("Search secrets")} />}
        empty={
          <EmptyState
            icon={<LockOutlined />}
            title={t("No secrets yet")}
            text={t("Keep one to sign in to an MCP server, call an API from a workflow, or check signatures.")}
            action={create.button}
          />
        }
      >
        <SecretRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function SecretRows(): ReactElement {
  const { data } = useListContext<Secret>();
  return (
    <RowList label={t("Secrets")}>
      {(data ?? []).map((secret) => (
        <RowItem key={secret.id}>
          <RowPart basis={180} grow={1}>
            <Box sx={{ fontFamily: MONOSPACE, fontWeight: 600 }}>{secret.name}</Box>
          </RowPart>
          <RowPart basis={220} grow={2}>
            {secret.hosts.length === 0 ? (
              <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("sent nowhere, for signatures")}</Box>
            ) : (
              <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5 }}>{secret.hosts.join(", ")}</Box>
            )}
          </RowPart>
          <RowPart basis={150} quiet>
            {tx("set {{time}}", { time: <RelativeTime at={secret.updatedAt} /> })}
          </RowPart>
          <RowPart basis={150} quiet>
            {secret.lastUsedAt === null
              ? t("never used")
              : tx("used {{time}}", { time: <RelativeTime at={secret.lastUsedAt} /> })}
          </RowPart>
          <Box sx={{ display: "flex" }}>
            <EditButton
              label={t("Change {{name}}", { name: secret.name })}
              dialog={(close) => <SecretDialog secret={secret} onClose={close} />}
            />
            <DeleteButton
              resource="secrets"
              record={secret}
              label={t("Delete {{name}}", { name: secret.name })}
              title={t("Delete “{{name}}”?", { name: secret.name })}
              text={t("Calls and connections that name it fail from then on. The value cannot be brought back.")}
            />
          </Box>
        </RowItem>
      ))}
    </RowList>
  );
}
