import AddRounded from "@mui/icons-material/AddRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import KeyOutlined from "@mui/icons-material/KeyOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import type { ApiKey } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { ListBase, useDataProvider, useListContext, useRefresh } from "react-admin";
import { CreateKeyDialog } from "./create-key-dialog.tsx";

export function ApiKeyList(): ReactElement {
  const [creating, setCreating] = useState(false);
  const mayCreate = useCan("api-keys.create");
  const refresh = useRefresh();
  const create = mayCreate ? (
    <Button variant="contained" startIcon={<AddRounded />} onClick={() => setCreating(true)}>
      {t("New API key")}
    </Button>
  ) : null;
  return (
    <ListBase resource="api-keys" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("API keys")}
        line={t("For programs and MCP clients. A key acts with the permissions you give it.")}
        actions={create}
      />
      <ListBody
        noun={t("API keys")}
        filters={<SearchField label={t("Search API keys")} />}
        empty={
          <EmptyState
            icon={<KeyOutlined />}
            title={t("No API keys yet")}
            text={t("Make one to call a workflow from an MCP client, a script or another system.")}
            action={create}
          />
        }
      >
        <KeyRows />
      </ListBody>
      {creating ? (
        <CreateKeyDialog
          onClose={(created) => {
            setCreating(false);
            if (created) refresh();
          }}
        />
      ) : null}
    </ListBase>
  );
}

function KeyRows(): ReactElement {
  const { data } = useListContext<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const mayDelete = useCan("api-keys.delete");
  const dataProvider = useDataProvider();
  const refresh = useRefresh();
  const nameOf = (key: ApiKey | null): string => key?.name ?? key?.start ?? "this key";
  return (
    <>
      <Box component="ul" aria-label={t("API keys")} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {(data ?? []).map((key) => (
          <Box
            component="li"
            key={key.id}
            sx={{
              display: "flex",
              flexWrap: "wrap",
              alignItems: "center",
              columnGap: 2,
              rowGap: 0.5,
              px: 2,
              py: 1.25,
              borderBottom: 1,
              borderColor: "divider",
              "&:last-of-type": { borderBottom: 0 },
            }}
          >
            <Box sx={{ flex: "1 1 180px", minWidth: 0 }}>
              <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{nameOf(key)}</Box>
              <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5, color: "text.secondary" }}>
                {key.start === null ? "" : `${key.start}…`}
              </Box>
            </Box>
            <Box
              sx={{ flex: "2 1 220px", minWidth: 0, fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}
            >
              {key.permissions.join(", ")}
              {key.workflows === null ? null : (
                <Box sx={{ color: "text.secondary" }}>
                  {t("only {{workflows}}", {
                    workflows: [...key.workflows, ...(key.agents ?? []).map((id) => `agent:${id}`)].join(", "),
                  })}
                </Box>
              )}
            </Box>
            <Box sx={{ flex: "0 1 130px", fontSize: 13, color: "text.secondary" }}>
              {key.lastUsedAt === null
                ? t("never used")
                : tx("used {{time}}", { time: <RelativeTime at={key.lastUsedAt} /> })}
            </Box>
            <Box sx={{ flex: "0 1 130px", fontSize: 13, color: "text.secondary" }}>
              <Expiry at={key.expiresAt} />
            </Box>
            {mayDelete ? (
              <IconButton aria-label={t("Revoke {{nameOf}}", { nameOf: nameOf(key) })} onClick={() => setRevoking(key)}>
                <DeleteOutlineRounded sx={{ fontSize: 20 }} />
              </IconButton>
            ) : null}
          </Box>
        ))}
      </Box>
      <ConfirmDialog
        open={revoking !== null}
        title={t("Revoke “{{nameOf}}”?", { nameOf: nameOf(revoking) })}
        text={t("What uses it stops working at once. This cannot be undone; a new key can be made at any time.")}
        confirmLabel={t("Revoke")}
        onClose={() => setRevoking(null)}
        onConfirm={async () => {
          if (revoking === null) return;
          await dataProvider.delete("api-keys", { id: revoking.id, previousData: revoking });
          refresh();
        }}
      />
    </>
  );
}

function Expiry({ at }: { at: string | null }): ReactElement {
  if (at === null) return <>{t("never expires")}</>;
  if (Date.parse(at) < Date.now()) return <ToneChip tone="failed" word={t("expired")} />;
  return <>{tx("expires {{time}}", { time: <RelativeTime at={at} /> })}</>;
}
