import KeyOutlined from "@mui/icons-material/KeyOutlined";
import Box from "@mui/material/Box";
import type { ApiKey } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { DeleteButton, useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
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
import { CreateKeyDialog } from "./create-key-dialog.tsx";

export function ApiKeyList(): ReactElement {
  const mayCreate = useCan("api-keys.create");
  const create = useCreateButton(t("New API key"), mayCreate, (close) => <CreateKeyDialog onClose={close} />);
  return (
    <ListBase resource="api-keys" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("API keys")}
        line={t("For programs and MCP clients. A key acts with the permissions you give it.")}
        actions={create.button}
      />
      <ListBody
        noun={t("API keys")}
        filters={<SearchField label={t("Search API keys")} />}
        empty={
          <EmptyState
            icon={<KeyOutlined />}
            title={t("No API keys yet")}
            text={t("Make one to call a workflow from an MCP client, a script or another system.")}
            action={create.button}
          />
        }
      >
        <KeyRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function KeyRows(): ReactElement {
  const { data } = useListContext<ApiKey>();
  const mayDelete = useCan("api-keys.delete");
  const nameOf = (key: ApiKey): string => key.name ?? key.start ?? "this key";
  return (
    <RowList label={t("API keys")}>
      {(data ?? []).map((key) => (
        <RowItem key={key.id}>
          <RowPart basis={180} grow={1}>
            <Box sx={{ fontWeight: 600 }}>{nameOf(key)}</Box>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5, color: "text.secondary" }}>
              {key.start === null ? "" : `${key.start}…`}
            </Box>
          </RowPart>
          <RowPart basis={220} grow={2}>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5 }}>
              {key.permissions.join(", ")}
              {key.workflows === null ? null : (
                <Box sx={{ color: "text.secondary" }}>
                  {t("only {{workflows}}", {
                    workflows: [...key.workflows, ...(key.agents ?? []).map((id) => `agent:${id}`)].join(", "),
                  })}
                </Box>
              )}
            </Box>
          </RowPart>
          <RowPart basis={130} quiet>
            {key.lastUsedAt === null
              ? t("never used")
              : tx("used {{time}}", { time: <RelativeTime at={key.lastUsedAt} /> })}
          </RowPart>
          <RowPart basis={130} quiet>
            <Expiry at={key.expiresAt} />
          </RowPart>
          {mayDelete ? (
            <DeleteButton
              resource="api-keys"
              record={key}
              label={t("Revoke {{nameOf}}", { nameOf: nameOf(key) })}
              title={t("Revoke “{{nameOf}}”?", { nameOf: nameOf(key) })}
              text={t("What uses it stops working at once. This cannot be undone; a new key can be made at any time.")}
              confirmLabel={t("Revoke")}
            />
          ) : null}
        </RowItem>
      ))}
    </RowList>
  );
}

function Expiry({ at }: { at: string | null }): ReactElement {
  if (at === null) return <>{t("never expires")}</>;
  if (Date.parse(at) < Date.now()) return <ToneChip tone="failed" word={t("expired")} />;
  return <>{tx("expires {{time}}", { time: <RelativeTime at={at} /> })}</>;
}
