import ApartmentOutlined from "@mui/icons-material/ApartmentOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { DEFAULT_TENANT } from "@oven/contract";
import type { Tenant } from "@oven/contract/access";
import { t, tx } from "@oven/i18n";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { ListBase, useListContext, useRefresh } from "react-admin";
import { DisableButton } from "../users/disable-button.tsx";
import { EraseTenantDialog } from "./erase-tenant-dialog.tsx";
import { NewTenantDialog } from "./new-tenant-dialog.tsx";

/** The tenants of the installation, for users of the first one. */
export function TenantList(): ReactElement {
  const mayCreate = useCan("tenants.create");
  const create = useCreateButton(t("New tenant"), mayCreate, (close) => <NewTenantDialog onClose={close} />);
  return (
    <ListBase resource="tenants" sort={{ field: "id", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Tenants")}
        line={t("Customers or departments that share this installation and see nothing of each other.")}
        actions={create.button}
      />
      <ListBody
        noun={t("tenants")}
        filters={<SearchField label={t("Search name")} />}
        empty={
          <EmptyState
            icon={<ApartmentOutlined />}
            title={t("No tenants to manage")}
            text={t("Only users of the installation's first tenant manage the others.")}
          />
        }
      >
        <TenantRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function TenantRows(): ReactElement {
  const { data } = useListContext<Tenant>();
  const mayUpdate = useCan("tenants.update");
  const mayErase = useCan("tenant-data.erase");
  const refresh = useRefresh();
  const [erasing, setErasing] = useState<Tenant | null>(null);
  return (
    <>
      <RowList label={t("Tenants")}>
        {(data ?? []).map((tenant) => (
          <RowItem key={tenant.id}>
            <RowPart basis={240} grow={1}>
              <Box sx={{ display: "flex", alignItems: "center", gap: 1, fontWeight: 600 }}>
                {tenant.name}
                {tenant.disabled ? <ToneChip tone="cancelled" word={t("disabled")} /> : null}
              </Box>
            </RowPart>
            <RowPart basis={100} quiet>
              {t("id {{id}}", { id: tenant.id })}
            </RowPart>
            <RowPart basis={160} quiet>
              {tx("made {{time}}", { time: <RelativeTime at={tenant.createdAt} /> })}
            </RowPart>
            {mayUpdate ? (
              <Box sx={{ minWidth: 148, display: "flex", gap: 0.5, justifyContent: { sm: "flex-end" } }}>
                {mayErase && tenant.id !== DEFAULT_TENANT ? (
                  <Button
                    size="small"
                    color="error"
                    onClick={() => setErasing(tenant)}
                    aria-label={t("Erase {{name}}", { name: tenant.name })}
                  >
                    {t("Erase")}
                  </Button>
                ) : null}
                {tenant.id === DEFAULT_TENANT ? null : (
                  <DisableButton
                    resource="tenants"
                    record={tenant}
                    enableText={t("Its users can sign in again, and its API keys work again.")}
                    disableText={t(
                      "Its users are signed out at once and its API keys stop within a second. Runs under way go on. It can be undone.",
                    )}
                  />
                )}
              </Box>
            ) : null}
          </RowItem>
        ))}
      </RowList>
      {erasing === null ? null : (
        <EraseTenantDialog
          tenant={erasing}
          onClose={(erased) => {
            setErasing(null);
            if (erased) refresh();
          }}
        />
      )}
    </>
  );
}
