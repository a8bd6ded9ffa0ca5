import Button from "@mui/material/Button";
import type { User } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { type ReactElement, useState } from "react";
import { useRefresh } from "react-admin";

/** Takes away the second factor of a person who has lost it, once that is confirmed. */
export function ResetFactorButton({ user: { id, name } }: { user: User }): ReactElement {
  const [asking, setAsking] = useState(false);
  const refresh = useRefresh();
  return (
    <>
      <Button
        size="small"
        color="error"
        onClick={() => setAsking(true)}
        aria-label={t("Reset the second factor of {{name}}", { name })}
      >
        {t("Reset second factor")}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t("Reset the second factor of {{name}}?", { name })}
        text={t(
          "Their app, recovery codes and passkeys are taken away and their sessions end: the password alone signs them in. Make sure that it is they who ask for it.",
        )}
        confirmLabel={t("Reset")}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await api(`users/${id}/reset-second-factor`, { method: "POST", body: {} });
          refresh();
        }}
      />
    </>
  );
}
