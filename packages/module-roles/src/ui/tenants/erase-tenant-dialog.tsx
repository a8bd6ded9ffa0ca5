import DownloadRounded from "@mui/icons-material/DownloadRounded";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { Tenant } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";

/** Erases a tenant once its name is typed, and offers its export before. */
export function EraseTenantDialog({
  tenant: { id, name },
  onClose,
}: {
  tenant: Tenant;
  onClose: (erased: boolean) => void;
}): ReactElement {
  const [confirm, setConfirm] = useState("");
  return (
    <FormDialog
      title={t("Erase the tenant {{name}}?", { name })}
      submitLabel={t("Erase for good")}
      failureTitle={t("The tenant was not erased")}
      usable={confirm === name}
      onClose={() => onClose(false)}
      extra={
        <Button startIcon={<DownloadRounded />} href={`/api/tenants/${id}/export`} download>
          {t("Export as JSON")}
        </Button>
      }
      onSubmit={async () => {
        await api(`tenants/${id}/erase`, { method: "POST", body: { confirm } });
        onClose(true);
      }}
    >
      <Alert severity="warning">
        {t(
          "Its people, workflows, runs, triggers, conversations and knowledge are deleted, and its runs stop. It cannot be undone: export it first. The audit log stays.",
        )}
      </Alert>
      <TextField
        fullWidth
        autoFocus
        label={t("Type {{text}}", { text: name })}
        value={confirm}
        autoComplete="off"
        onChange={(event) => setConfirm(event.target.value)}
      />
    </FormDialog>
  );
}
