import AddRounded from "@mui/icons-material/AddRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import LockOutlined from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import type { Secret } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { ListBase, useDataProvider, useListContext, useRefresh } from "react-admin";
import { SecretDialog } from "./secret-dialog.tsx";

/** What outbound calls carry: names, hosts and use, never values. */
export function SecretList(): ReactElement {
  const [creating, setCreating] = useState(false);
  const refresh = useRefresh();
  const create = (
    <Button variant="contained" startIcon={<AddRounded />} onClick={() => setCreating(true)}>
      {t("New secret")}
    </Button>
  );
  return (
    <ListBase resource="secrets" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Secrets")}
        line={t("Keys and tokens that calls carry to other systems. A value can be replaced, never read.")}
        actions={create}
      />
      <ListBody
        noun={t("secrets")}
        filters={<SearchField label={t("Search secrets")} />}
        empty={
          <EmptyState
            icon={<LockOutlined />}
            title={t("No secrets yet")}
            text={t("Keep one to sign in to an MCP server, call an API from a workflow, or check signatures.")}
            action={create}
          />
        }
      >
        <SecretRows />
      </ListBody>
      {creating ? (
        <SecretDialog
          secret={null}
          onClose={(saved) => {
            setCreating(false);
            if (saved) refresh();
          }}
        />
      ) : null}
    </ListBase>
  );
}

function SecretRows(): ReactElement {
  const { data } = useListContext<Secret>();
  const [editing, setEditing] = useState<Secret | null>(null);
  const [deleting, setDeleting] = useState<Secret | null>(null);
  const dataProvider = useDataProvider();
  const refresh = useRefresh();
  return (
    <>
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
              <IconButton aria-label={t("Change {{name}}", { name: secret.name })} onClick={() => setEditing(secret)}>
                <EditOutlined sx={{ fontSize: 20 }} />
              </IconButton>
              <IconButton aria-label={t("Delete {{name}}", { name: secret.name })} onClick={() => setDeleting(secret)}>
                <DeleteOutlineRounded sx={{ fontSize: 20 }} />
              </IconButton>
            </Box>
          </RowItem>
        ))}
      </RowList>
      {editing === null ? null : (
        <SecretDialog
          secret={editing}
          onClose={(saved) => {
            setEditing(null);
            if (saved) refresh();
          }}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        title={t("Delete “{{name}}”?", { name: deleting?.name ?? "" })}
        text={t("Calls and connections that name it fail from then on. The value cannot be brought back.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          if (deleting === null) return;
          await dataProvider.delete("secrets", { id: deleting.id, previousData: deleting });
          refresh();
        }}
      />
    </>
  );
}
