import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { ApiConnection } from "@oven/contract/api";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { AuthFields } from "./auth-fields.tsx";
import { NameFields } from "./connect-dialog.tsx";
import { type ConnectionDraft, toDraft, toSettings, toSource } from "./connection-draft.ts";
import { LimitFields } from "./limit-fields.tsx";
import { SourceFields } from "./source-fields.tsx";

/** Changes a connection; a newer document is read when it is saved. */
export function EditDialog({
  connection,
  onClose,
}: {
  connection: ApiConnection;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [draft, setDraft] = useState<ConnectionDraft>(() => toDraft(connection));
  const [renewing, setRenewing] = useState(false);
  const change = (more: Partial<ConnectionDraft>): void => setDraft((current) => ({ ...current, ...more }));
  const save = async (): Promise<void> => {
    const source = renewing ? { source: toSource(draft) } : {};
    const body = { ...toSettings(draft), ...source };
    await api(`api-connections/${connection.id}`, { method: "PUT", body });
    onClose(true);
  };
  return (
    <FormDialog
      title={t("Connection “{{name}}”", { name: connection.name })}
      submitLabel={t("Save")}
      failureTitle={t("The connection was not saved")}
      usable
      onSubmit={save}
      onClose={() => onClose(false)}
    >
      <NameFields draft={draft} onChange={change} />
      <TextField
        required
        label={t("Server")}
        helperText={t("At another server the operations must be approved anew.")}
        value={draft.serverUrl}
        onChange={(event) => change({ serverUrl: event.target.value })}
      />
      <AuthFields draft={draft} onChange={change} />
      <LimitFields draft={draft} onChange={change} />
      <FormControlLabel
        control={<Switch checked={renewing} onChange={(event) => setRenewing(event.target.checked)} />}
        label={t("Read another document")}
      />
      {renewing ? <SourceFields draft={draft} onChange={change} /> : null}
      <FormControlLabel
        control={<Switch checked={draft.enabled} onChange={(event) => change({ enabled: event.target.checked })} />}
        label={t("In use")}
      />
    </FormDialog>
  );
}
