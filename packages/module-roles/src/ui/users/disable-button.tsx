import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { type ReactElement, useState } from "react";
import { useRefresh } from "react-admin";

export interface DisableButtonProps {
  resource: "users" | "tenants";
  record: { id: number; name: string; disabled: boolean };
  /** What follows from enabling it. */
  enableText: string;
  /** What follows from disabling it. */
  disableText: string;
}

/** Disables a user or a tenant, or enables it again, once that is confirmed. */
export function DisableButton({ resource, record, enableText, disableText }: DisableButtonProps): ReactElement {
  const { id, name, disabled } = record;
  const [asking, setAsking] = useState(false);
  const refresh = useRefresh();
  return (
    <>
      <Button
        size="small"
        color={disabled ? "primary" : "error"}
        onClick={() => setAsking(true)}
        aria-label={disabled ? t("Enable {{name}}", { name }) : t("Disable {{name}}", { name })}
      >
        {disabled ? t("Enable") : t("Disable")}
      </Button>
      <ConfirmDialog
        open={asking}
        title={disabled ? t("Enable {{name}}?", { name }) : t("Disable {{name}}?", { name })}
        text={disabled ? enableText : disableText}
        confirmLabel={disabled ? t("Enable") : t("Disable")}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await api(`${resource}/${id}`, { method: "PUT", body: { disabled: !disabled } });
          refresh();
        }}
      />
    </>
  );
}
